"""A server that tells no more than OpenAI's does: plain_server.py PORT MOODS COMMAND...

COMMAND is a parity_tiny_server without its port. Its answers are handed on without "parity", and so are
requests without the logits that they want. MOODS, with commas:

plain        nothing else
uncounted    it counts nothing: /v1/stats is not there
boastful     it says that four tokens more were cached than were
deaf         it takes no notice of SIGTERM
clumsy       it leaves with exit status 3 when it is stopped
"""

import http.server
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request

port, moods, command = int(sys.argv[1]), sys.argv[2].split(","), sys.argv[3:]
inner = subprocess.Popen(command + ["--port", "0"], stdout=subprocess.PIPE, text=True)
url = "http://" + inner.stdout.readline().split()[-1]


def stop(*_):
    inner.terminate()
    status = inner.wait()
    os._exit(3 if "clumsy" in moods else status)


def plain(answer):
    answer.pop("parity", None)
    if "boastful" in moods and "usage" in answer:
        answer["usage"]["prompt_tokens_details"]["cached_tokens"] += 4
    return answer


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def hand_on(self, body):
        try:
            with urllib.request.urlopen(urllib.request.Request(url + self.path, data=body)) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        if status == 200:
            text = json.dumps(plain(json.loads(text))).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        if self.path == "/v1/stats" and "uncounted" in moods:
            return self.send_error(404)
        self.hand_on(None)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request.get("parity", {}).pop("logits", None)
        self.hand_on(json.dumps(request).encode())

    def log_message(self, *_):
        pass


signal.signal(signal.SIGTERM, signal.SIG_IGN if "deaf" in moods else stop)
http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
