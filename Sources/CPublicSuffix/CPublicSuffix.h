#ifndef CPUBLICSUFFIX_H
#define CPUBLICSUFFIX_H
#include <features.h>

#include <libpsl.h>
#endif
