"""A server in one of its moods: fixture_server.py PORT [MOOD...].

die STATUS     prints its last words and leaves before it listens
unready        listens and answers every GET with 503
silent         listens and never answers
deaf           ignores SIGTERM
parent         has a child that outlives it
"""

import http.server
import json
import os
import signal
import subprocess
import sys
import time

port, moods = int(sys.argv[1]), sys.argv[2:]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if "silent" in moods:
            time.sleep(1000)
        if "unready" in moods:
            return self.reply(503, {"status": "loading"})
        answers = {
            "/v1/models": {"data": [{"id": "fixture"}]},
            "/v1/stats": {"requests": 3},
            "/list": [1],
            "/self": {"environment": dict(os.environ), "folder": os.getcwd(), "arguments": sys.argv},
        }
        if self.path not in answers:
            return self.reply(404, {"error": "nothing there"})
        self.reply(200, answers[self.path])

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/die":
            print("dying as asked", flush=True)
            os._exit(7)
        if self.path == "/crash":
            signal.raise_signal(signal.SIGSEGV)
        if self.path == "/freeze":
            os.kill(os.getpid(), signal.SIGSTOP)
            time.sleep(1000)
        if self.path == "/hang":
            time.sleep(1000)
        if self.path == "/stream":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for part in (b"one ", b"two ", b"three"):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")
            return
        self.reply(200, {"type": self.headers["Content-Type"], "body": body.decode()})

    def log_message(self, *_):
        pass


print("starting on", port, flush=True)
if "die" in moods:
    print("no such model", file=sys.stderr, flush=True)
    sys.exit(int(moods[moods.index("die") + 1]))
if "deaf" in moods:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
else:
    signal.signal(signal.SIGTERM, lambda *_: (print("stored all", flush=True), os._exit(0)))
if "parent" in moods:
    child = subprocess.Popen(["sleep", "1000"])
    print("child", child.pid, flush=True)
http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
