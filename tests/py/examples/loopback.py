"""A web server on the loopback interface for the time of a `with`, and how its handlers take and give JSON."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Loopback:
    """Serves by a class of handlers, which find this server's own object as `api`."""

    def __init__(self, handler):
        """The address is known from here on; `with` begins to serve."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (handler,), {"api": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        """Begin to serve."""
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class JSONHandler(BaseHTTPRequestHandler):
    """One request with a JSON body."""

    api: Loopback

    def read(self):
        """The body of the request."""
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def reply(self, status, data, kind="application/json", sent=None):
        """Answer with `data`. With `sent`, only so many of the bytes that were announced leave."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:sent])

    def log_message(self, *_):
        """Say nothing."""
