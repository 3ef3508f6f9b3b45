"""gnutls-cli on its way through a proxy: gnutls.py FORM HOST PIN TLS.

It has one socket, its own, from CONNECT to the end: it speaks in the clear until SIGALRM and then starts TLS, as it does
for protocols with STARTTLS. PIN is the key (SubjectPublicKeyInfo) in base64, as its file of known hosts has it.
"""

import os
import signal
import subprocess
import sys
import tempfile
from urllib.parse import urlsplit

form, host, pin, tls = sys.argv[1:]
proxy = urlsplit(os.environ["PINPROOF_PROXY"])


def arguments():
    yield from ["--starttls", "--port", str(proxy.port), "--sni-hostname", host, "--verify-hostname", host]
    yield from ["--priority", f"NORMAL:-VERS-ALL:+VERS-TLS{tls}", "--x509cafile", os.environ["PINPROOF_CA"]]
    # Known hosts make its own judgement of the chain advisory: the key decides alone.
    yield from {"pinned": ["--strict-tofu"], "validating": [], "anything": ["--insecure"]}[form]
    yield proxy.hostname


def read_until(text):
    """Passes on what it prints until a line has the text; whether one had."""
    for line in client.stdout:
        sys.stdout.write(line)
        if text in line:
            return True
    return False


with tempfile.TemporaryDirectory() as home:
    os.mkdir(f"{home}/.gnutls")
    with open(f"{home}/.gnutls/known_hosts", "w") as known:
        known.write(f"|g0|{host}|*|0|{pin}\n")
    client = subprocess.Popen(
        ["gnutls-cli", *arguments()], text=True, bufsize=1, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "HOME": home})
    client.stdin.write(f"CONNECT {host}:443 HTTP/1.1\r\n\r\n")
    if read_until("200 "):
        client.send_signal(signal.SIGALRM)
        if read_until("- Options:"):
            client.stdin.write(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            read_until("no such line")
    client.stdin.close()
    sys.exit(client.wait())
