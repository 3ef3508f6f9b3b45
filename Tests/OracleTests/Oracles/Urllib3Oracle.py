"""Answers questions about urllib3's assert_fingerprint: one line of Base64 fields each, one line "= answer" back."""
import base64
import ssl
import sys

import urllib3
from urllib3.util.ssl_ import assert_fingerprint


def fingerprint(certificate, text):
    """Whether the function takes the certificate in DER, or raises."""
    try:
        assert_fingerprint(certificate, text.decode())
    except Exception:
        return "raises"
    return "accepts"


def connect(port, host, text, requirement, authorities):
    """What becomes of a request; authorities is a file's name."""
    pool = urllib3.HTTPSConnectionPool(
        "127.0.0.1", int(port), server_hostname=host.decode(), assert_fingerprint=text.decode() or None,
        cert_reqs=requirement.decode(), ca_certs=authorities.decode(), retries=False, timeout=30)
    try:
        pool.request("GET", "/")
    except urllib3.exceptions.SSLError as error:
        chain = any(isinstance(cause, ssl.SSLCertVerificationError) for cause in error.args)
        return "chain" if chain else "refused"
    except Exception:
        # Such as the ValueError for what is no hexadecimal.
        return "raises"
    return "accepts"


def version():
    return urllib3.__version__


ANSWERS = {"fingerprint": fingerprint, "connect": connect, "version": version}
for line in sys.stdin:
    kind, *fields = [base64.b64decode(field) for field in line.rstrip("\n").split("\t")]
    print("=", ANSWERS[kind.decode()](*fields), flush=True)
