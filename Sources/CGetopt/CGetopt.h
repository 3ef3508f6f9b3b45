#ifndef CGETOPT_H
#define CGETOPT_H
/* Swift's Glibc module leaves this header out. */
#include <features.h>

#include <getopt.h>
#endif
