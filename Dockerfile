# One image for every function: FUNCTION_TARGET names the one a service runs, or `all_functions`. Made for Cloud Run
# and Knative.
#
#   docker build -t keepsake .
#   docker run -p 8080:8080 -e FUNCTION_TARGET=all_functions --env-file .env keepsake
#
# The same image works jobs off (`keepsake worker`) and applies the migrations (`keepsake migrate`). It holds the core
# of the package only: no database server, no Node.js, no build tools.

# The tag is for readers; the digest decides. Raise both together, here or with --build-arg.
ARG PYTHON_IMAGE=python:3.12.12-slim-bookworm@sha256:593bd06efe90efa80dc4eee3948be7c0fde4134606dd40d8dd8dbcade98e669c

FROM ${PYTHON_IMAGE} AS build

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
RUN python -m venv /venv

# First what seldom changes, so that a change of the code rebuilds only the last layers.
COPY requirements.lock requirements-build.lock ./
RUN /venv/bin/pip install --require-hashes --no-deps --requirement requirements.lock
RUN pip install --require-hashes --no-deps --requirement requirements-build.lock

COPY pyproject.toml README.md LICENSE package.json package-lock.json ./
COPY functions functions
COPY sql sql
COPY supabase supabase
RUN pip wheel --no-deps --no-build-isolation --wheel-dir dist . \
  && /venv/bin/pip install --no-deps --no-index dist/*.whl \
  && /venv/bin/pip uninstall --yes pip

FROM ${PYTHON_IMAGE}

RUN useradd --system --uid 10001 --create-home keepsake
WORKDIR /app
COPY --from=build /venv /venv
COPY functions/main.py main.py

USER keepsake
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PORT=8080 FUNCTION_TARGET=all_functions
EXPOSE 8080

# Serves main.py of the working folder; target and port come from the environment. Without a shell, so that the signal
# to stop reaches Python.
CMD ["python", "-m", "functions_framework"]
