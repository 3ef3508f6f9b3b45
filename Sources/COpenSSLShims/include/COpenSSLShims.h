#ifndef COPENSSL_SHIMS_H
#define COPENSSL_SHIMS_H
/* OpenSSL's macros and variadic functions, which Swift cannot import: the C name with a prefix, and no logic. */
#include <features.h>

#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline int copenssl_sk_X509_num(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *copenssl_sk_X509_value(const STACK_OF(X509) *stack, int i) { return sk_X509_value(stack, i); }
static inline STACK_OF(X509) *copenssl_sk_X509_new_null(void) { return sk_X509_new_null(); }
static inline int copenssl_sk_X509_push(STACK_OF(X509) *stack, X509 *certificate) { return sk_X509_push(stack, certificate); }
static inline void copenssl_sk_X509_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline int copenssl_sk_X509_NAME_num(const STACK_OF(X509_NAME) *stack) { return sk_X509_NAME_num(stack); }
static inline X509_NAME *copenssl_sk_X509_NAME_value(const STACK_OF(X509_NAME) *stack, int i) { return sk_X509_NAME_value(stack, i); }
static inline long copenssl_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) { return SSL_CTX_set_min_proto_version(context, version); }
static inline void copenssl_sk_X509_EXTENSION_pop_free(STACK_OF(X509_EXTENSION) *stack) { sk_X509_EXTENSION_pop_free(stack, X509_EXTENSION_free); }
static inline void copenssl_sk_PKCS12_SAFEBAG_pop_free(STACK_OF(PKCS12_SAFEBAG) *stack) { sk_PKCS12_SAFEBAG_pop_free(stack, PKCS12_SAFEBAG_free); }
static inline void copenssl_sk_PKCS7_pop_free(STACK_OF(PKCS7) *stack) { sk_PKCS7_pop_free(stack, PKCS7_free); }
static inline long copenssl_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) { return SSL_CTX_set_max_proto_version(context, version); }
static inline long copenssl_SSL_CTX_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }
static inline long copenssl_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_session_cache_mode(context, mode); }
static inline long copenssl_SSL_CTX_set_max_cert_list(SSL_CTX *context, long octets) { return SSL_CTX_set_max_cert_list(context, octets); }
static inline long copenssl_SSL_CTX_set_dh_auto(SSL_CTX *context, int on) { return SSL_CTX_set_dh_auto(context, on); }
static inline int copenssl_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *list) { return (int)SSL_CTX_set1_groups_list(context, list); }
static inline uint64_t copenssl_SSL_OP_NO_TICKET(void) { return SSL_OP_NO_TICKET; }
static inline uint64_t copenssl_SSL_OP_LEGACY_SERVER_CONNECT(void) { return SSL_OP_LEGACY_SERVER_CONNECT; }
static inline uint64_t copenssl_SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION(void) { return SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION; }
static inline long copenssl_SSL_add1_chain_cert(SSL *ssl, X509 *certificate) { return SSL_add1_chain_cert(ssl, certificate); }
static inline long copenssl_SSL_set_tlsext_host_name(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name); }
static inline int copenssl_SSL_set_retry_verify(SSL *ssl) { return SSL_set_retry_verify(ssl); }
static inline int copenssl_SSL_get_negotiated_group(SSL *ssl) { return (int)SSL_get_negotiated_group(ssl); }
static inline void copenssl_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void copenssl_BIO_clear_retry_flags(BIO *bio) { BIO_clear_retry_flags(bio); }
#endif
