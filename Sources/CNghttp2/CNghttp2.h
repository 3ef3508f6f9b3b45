#ifndef CNGHTTP2_H
#define CNGHTTP2_H
#include <features.h>

#include <nghttp2/nghttp2.h>
#endif
