"""Signs people in for the JavaScript tests, over HTTP: as `keepsake token` does, without a process for each."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from keepsake.operations.local_users import find_user
from keepsake.project.folder import ProjectFolder
from keepsake.project.keys import person_token


@contextmanager
def serving_sign_ins(project: ProjectFolder) -> Iterator[str]:
    """The URL to which one posts an email address, and which answers with a token, until the end of the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(project))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def _handler(project: ProjectFolder) -> type[BaseHTTPRequestHandler]:
    running, secret = project.running_or_raise(), project.keys().jwt_secret

    class SignIn(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            email = self.rfile.read(int(self.headers["content-length"])).decode()
            user_id, _ = find_user(running.db_url, email, create=True)
            lifetime = timedelta(hours=1)
            token = person_token(user_id, email, jwt_secret=secret, api_url=running.api_url, lifetime=lifetime)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(token.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return SignIn
