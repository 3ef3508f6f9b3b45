#!/usr/bin/env python3
"""What stalled and hostile peers cost `pinproof proxy`, and whether they slow others down.

  Benchmarks/limits.py [--pinproof PATH] [--stalled N] [--floods N]

Everything runs on loopback with certificates that are made for the run. Memory is the proxy's resident set: what it
grew by, divided by the connections that made it grow. Latency is CONNECT, both handshakes and a small answer, one
client after the other.
"""
import argparse, os, resource, socket, ssl, statistics, subprocess, tempfile, threading, time

HOST = "api.pinproof.test"
HELLO_START = bytes.fromhex("16030102000100 01fc0303".replace(" ", ""))

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--pinproof", default=".build/release/pinproof")
options.add_argument("--stalled", type=int, default=1000)
options.add_argument("--floods", type=int, default=40)
options.add_argument("--requests", type=int, default=400)
options = options.parse_args()


def memory(pid, field="VmRSS"):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field + ":"))


class Bench:
    """A CA, an origin that answers, an origin that floods, and the proxy between them and this process."""

    def __init__(self, folder):
        self.folder = folder
        self.run("ca", "init", "--state", f"{folder}/proxy")
        self.run("ca", "init", "--state", f"{folder}/public")
        self.run("ca", "issue", "--state", f"{folder}/public", "--server", HOST, "--out", folder, "--name", "origin")
        self.listener = self.flood()
        self.origin, self.origin_port = self.start(
            "origin", "--cert", f"{folder}/origin.pem", "--key", f"{folder}/origin.key.pem", "--port", "0")
        self.proxy, self.port = self.start(
            "proxy", "--port", "0", "--workers", "1", "--quiet", "--state", f"{folder}/proxy",
            "--origin-ca", f"{folder}/public/ca.pem", "--hello-timeout", "600", "--idle-timeout", "600",
            "--resolve", f"{HOST}:443:127.0.0.1:{self.origin_port}",
            "--resolve", f"{HOST}:444:127.0.0.1:{self.listener.getsockname()[1]}")
        self.context = ssl.create_default_context(cafile=f"{folder}/proxy/ca.pem")

    def run(self, *arguments):
        subprocess.run([options.pinproof, *arguments], check=True, capture_output=True)

    def start(self, *arguments):
        process = subprocess.Popen([options.pinproof, *arguments, "--json"], stdout=subprocess.PIPE, text=True)
        import json
        return process, json.loads(process.stdout.readline())["port"]

    def stop(self):
        for process in (self.proxy, self.origin):
            process.terminate()
            process.wait(20)

    def flood(self):
        """An origin that sends without end and never reads."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{self.folder}/origin.pem", f"{self.folder}/origin.key.pem")

        def serve(accepted):
            try:
                secured = context.wrap_socket(accepted, server_side=True)
                while True:
                    secured.sendall(bytes(1 << 18))
            except OSError:
                pass

        def accept():
            while True:
                try:
                    accepted, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=serve, args=(accepted,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return listener

    def connect(self, port=443):
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.sendall(f"CONNECT {HOST}:{port} HTTP/1.1\r\n\r\n".encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += connection.recv(4096)
        assert b" 200 " in answer, answer
        return connection

    def fetch(self):
        with self.context.wrap_socket(self.connect(), server_hostname=HOST) as secured:
            secured.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
            while secured.recv(65536):
                pass

    def latencies(self):
        taken = []
        for _ in range(options.requests):
            began = time.perf_counter()
            self.fetch()
            taken.append((time.perf_counter() - began) * 1000)
        return taken


def show(what, taken):
    taken = sorted(taken)
    print(f"{what:46} p50 {statistics.median(taken):7.2f} ms   p99 {taken[int(len(taken) * 0.99) - 1]:7.2f} ms")
    return taken[int(len(taken) * 0.99) - 1]


def per_connection(what, before, after, count):
    print(f"{what:46} {(after - before) / count / 1024:7.1f} KiB each, of {count}")


PARTS = {
    "10 octets of a hello, then nothing": HELLO_START[:10],
    "55,000 octets of a hello, then nothing": b"\x16\x03\x01\x40\x00\x01\x00\xdb\x00" + bytes(16380)
    + (b"\x16\x03\x01\x40\x00" + bytes(16384)) * 2 + b"\x16\x03\x01\x40\x00" + bytes(5834),
}


def stall(bench, name, part):
    """Many clients that stop in the middle of their hello, and one that does not."""
    quiet = show("one client, nobody else", bench.latencies())
    before = memory(bench.proxy.pid)
    stalled = [bench.connect() for _ in range(options.stalled)]
    for connection in stalled:
        connection.sendall(part)
    time.sleep(1)
    per_connection(name, before, memory(bench.proxy.pid), len(stalled))
    busy = show("  one client meanwhile", bench.latencies())
    print(f"{'  p99, times that of quiet':46} {busy / quiet:7.2f}")


def flood(bench):
    """Connections whose both ends send without end and never read."""
    pid = bench.proxy.pid
    before = memory(pid)
    floods = []
    for _ in range(options.floods):
        secured = bench.context.wrap_socket(bench.connect(444), server_hostname=HOST)
        secured.setblocking(False)
        floods.append(secured)
    deadline, highest = time.monotonic() + 10, 0
    while time.monotonic() < deadline:
        for secured in floods:
            try:
                secured.send(bytes(1 << 16))
            except (ssl.SSLWantWriteError, ssl.SSLWantReadError):
                pass
        highest = max(highest, memory(pid))
    per_connection("both sides send, neither reads: at the highest", before, highest, len(floods))
    show("  one client meanwhile", bench.latencies())


def slow(bench):
    """A gibibyte is on its way to a client that reads a mebibyte a second; twenty seconds of that."""
    with bench.context.wrap_socket(bench.connect(), server_hostname=HOST) as secured:
        secured.sendall(f"GET /bytes/1G HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
        read, began = 0, time.monotonic()
        while time.monotonic() < began + 20:
            wanted = int((time.monotonic() - began + 0.1) * (1 << 20)) - read
            while wanted > 0:
                count = len(secured.recv(min(wanted, 65536)))
                read, wanted = read + count, wanted - count
            time.sleep(0.1)
        highest = memory(bench.proxy.pid, "VmHWM") / (1 << 20)
        print(f"{'1 GiB to a client that reads 1 MiB/s, for 20 s':46} {read / (1 << 20):7.1f} MiB read, "
              f"the proxy's memory {highest:.1f} MiB at most")


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # A proxy of its own for each: what one leaves to the allocator would hide what the next needs.
    runs = [lambda bench, item=item: stall(bench, *item) for item in PARTS.items()] + [flood, slow]
    for run in runs:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(folder)
            try:
                bench.latencies()
                run(bench)
            finally:
                bench.stop()


main()
