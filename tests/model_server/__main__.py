"""Runs the scripted model by hand, so that one can watch the model path without a key.

    python -m tests.model_server --port 9999
    keepsake up --model-url http://127.0.0.1:9999/v1

It finds plain statements ("My favorite food is ramen.") in the last message of the user, and embeds texts by the words
they share (`OPENAI_EMBEDDING_MODEL=scripted keepsake up …`). The model named `fault:<name>` answers with that fault;
`--list` names them. `POST /script` queues replies for any model.
"""

from __future__ import annotations

import argparse

import uvicorn

from tests.model_server.app import build
from tests.model_server.script import FAULTS, VECTOR_FAULTS, Script


def main() -> None:
    """Serve until Ctrl-C."""
    words = argparse.ArgumentParser(
        prog="python -m tests.model_server",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words.add_argument("--port", type=int, default=9999, help="the port on 127.0.0.1 (default 9999)")
    words.add_argument("--latency", type=float, default=0.0, help="seconds to think before each answer")
    words.add_argument("--always", choices=sorted(FAULTS), metavar="FAULT", help="answer every request with this fault")
    words.add_argument("--list", action="store_true", help="name the faults and end")
    given = words.parse_args()
    if given.list:
        for name, fault in sorted((FAULTS | VECTOR_FAULTS).items()):
            print(f"fault:{name}".ljust(30), (fault.__doc__ or "").strip())  # noqa: T201 (a command says what it knows)
        return
    script = Script(otherwise=given.always, latency=given.latency)
    uvicorn.run(build(script), host="127.0.0.1", port=given.port, lifespan="off")


if __name__ == "__main__":
    main()
