#ifndef COPENSSL_SHIMS_H
#define COPENSSL_SHIMS_H
/* OpenSSL's macros and variadic functions, which Swift cannot import: the C name with a prefix, and no logic. */
#include <features.h>

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline int copenssl_sk_X509_num(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *copenssl_sk_X509_value(const STACK_OF(X509) *stack, int i) { return sk_X509_value(stack, i); }
#endif
