"""A proxy that adds the key to each request, for a client that knows no keys: what it serves is `teammate mcp serve` over HTTP."""

import http.client
import http.server
from urllib.parse import urlsplit


def keyed(url, key):
    """A proxy on a free port; its `url` is for the client. Who names the proxy means what is behind it."""
    behind = urlsplit(url)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def passes(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            onward = http.client.HTTPConnection(behind.hostname, behind.port)
            onward.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in ("connection", "content-length"):
                    onward.putheader(name, value.replace(proxy.authority, behind.netloc))
            onward.putheader("Authorization", f"Bearer {key}")
            onward.putheader("Content-Length", str(len(body)))
            onward.endheaders(body)
            answer = onward.getresponse()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("connection", "content-length", "transfer-encoding"):
                    self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            while piece := answer.read1():
                self.wfile.write(piece)
                self.wfile.flush()

        do_DELETE = do_GET = do_POST = passes

        def log_message(self, *_):
            pass

    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    proxy.authority = f"127.0.0.1:{proxy.server_port}"
    proxy.url = f"http://{proxy.authority}{behind.path}"
    return proxy
