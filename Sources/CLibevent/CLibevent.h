#ifndef CLIBEVENT_H
#define CLIBEVENT_H
/* event2/event-config.h defines _GNU_SOURCE; settle glibc's feature macros first. */
#include <features.h>

#include <event2/dns.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <event2/util.h>
#endif
