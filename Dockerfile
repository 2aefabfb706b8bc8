# One image for every function: FUNCTION_TARGET names the one a service runs. Made for Cloud Run and Knative.
#
#   docker build -t keepsake .
#   docker run -p 8080:8080 -e FUNCTION_TARGET=inject_memory --env-file .env keepsake
#
# The same image works jobs off (`keepsake worker`) and applies the migrations (`keepsake migrate`).

FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app

# First what seldom changes, so that a change of the code rebuilds only the last layers.
COPY requirements.lock .
RUN pip install --requirement requirements.lock

COPY pyproject.toml README.md ./
COPY functions functions
COPY sql sql
COPY supabase supabase
RUN pip install --no-deps --editable . && useradd --system --uid 10001 keepsake

USER keepsake
ENV PORT=8080 FUNCTION_TARGET=inject_memory
EXPOSE 8080

# Through `python -m`, which finds the package; by `exec`, so that the signal to stop reaches Python and not a shell.
CMD ["sh", "-c", "exec python -m functions_framework --source functions/main.py --target \"$FUNCTION_TARGET\" --port \"$PORT\""]
