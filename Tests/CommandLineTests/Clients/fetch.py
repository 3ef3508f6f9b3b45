"""A client on urllib3 and requests: fetch.py FORM HOST PIN TLS.

It takes the proxy and the CAs from the environment as these libraries do. PIN is the certificate's SHA-256 in hex.
"""

import os
import ssl
import sys

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.util.ssl_ import create_urllib3_context

form, host, pin, tls = sys.argv[1:]
url = f"https://{host}/"


def context():
    """A context as urllib3 makes it, for one version of TLS."""
    made = create_urllib3_context()
    made.minimum_version = made.maximum_version = ssl.TLSVersion["TLSv" + tls.replace(".", "_")]
    return made


class OneVersion(HTTPAdapter):
    """What requests does by itself, with one version of TLS."""

    def init_poolmanager(self, *words, **options):
        super().init_poolmanager(*words, ssl_context=context(), **options)

    def proxy_manager_for(self, proxy, **options):
        return super().proxy_manager_for(proxy, ssl_context=context(), **options)


def by_requests():
    session = requests.Session()
    session.mount("https://", OneVersion())
    return session.get(url).content


def by_urllib3(**options):
    pool = urllib3.ProxyManager(os.environ["HTTPS_PROXY"], ssl_context=context(), **options)
    return pool.request("GET", url, retries=False).data


if form == "pinned":
    page = by_urllib3(
        cert_reqs="CERT_REQUIRED", ca_certs=os.environ["SSL_CERT_FILE"], assert_fingerprint=pin)
elif form == "validating":
    page = by_requests()
else:
    page = by_urllib3(cert_reqs="CERT_NONE")
print(page.decode())
