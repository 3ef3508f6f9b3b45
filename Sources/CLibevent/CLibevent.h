#ifndef CLIBEVENT_H
#define CLIBEVENT_H
/* event2/event-config.h defines _GNU_SOURCE; settle glibc's feature macros first. */
#include <features.h>

#include <event2/dns.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <event2/util.h>

/* What glibc declares under _GNU_SOURCE only, which Swift's Glibc module is built without. */
#include <pthread.h>
#include <sys/socket.h>
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pthread_setname_np(pthread_t, const char *);
#endif
