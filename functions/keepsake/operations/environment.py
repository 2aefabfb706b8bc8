"""Builds the environment variables for functions: from the running local stack, or from the process's own."""

from __future__ import annotations

import os
from collections.abc import Mapping

from keepsake.errors import MisconfiguredError
from keepsake.infra.settings import Settings
from keepsake.project.folder import ProjectFolder, RunningStack
from keepsake.project.keys import Keys

OPENAI_URL = "https://api.openai.com/v1"
ANY_MODEL = "scripted"
"""What a model is called where only its endpoint is named: the tests' own server takes any name."""


def set_model_env(url: str | None, model: str | None, embedding_model: str | None = None) -> None:
    """Set the environment variables that name the models; None leaves a variable as it is."""
    if url:
        os.environ["OPENAI_BASE_URL"] = url
        os.environ.setdefault("OPENAI_EXTRACTION_MODEL", ANY_MODEL)
    if model:
        os.environ["OPENAI_EXTRACTION_MODEL"] = model
    if embedding_model:
        os.environ["OPENAI_EMBEDDING_MODEL"] = embedding_model
        os.environ["EMBEDDING"] = "endpoint"


def functions_environment(running: RunningStack, keys: Keys) -> dict[str, str]:
    """Return the environment variables for the functions of a running stack."""
    variables = {
        "DATABASE_URL": running.functions_url,
        "SUPABASE_URL": running.api_url,
        "SUPABASE_JWT_SECRET": keys.jwt_secret,
        "SUPABASE_SECRET_KEY": keys.secret_key,
        "WEBHOOK_SECRETS": keys.webhook_secret,
    }
    return variables | (_auth_environment(running.auth_url, keys) if running.auth_url else {})


def _auth_environment(auth_url: str, keys: Keys) -> dict[str, str]:
    """Return what verifies the tokens of Supabase Auth; its legacy secret is written down nowhere."""
    return {
        "SUPABASE_JWT_SECRET": os.environ.get("SUPABASE_JWT_SECRET") or keys.jwt_secret,
        "SUPABASE_JWT_ISSUER": auth_url,
        "SUPABASE_JWKS_URL": f"{auth_url}/.well-known/jwks.json",
    }


def public_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings in an environment that are not secret, by variable."""
    names = (name.upper() for name, field in Settings.model_fields.items() if "SecretStr" not in str(field.annotation))
    return {name: environment[name] for name in names if environment.get(name)}


def stack_environment(running: RunningStack, keys: Keys) -> dict[str, str]:
    """Return every setting as the running stack has it, empty if unset; the model's key comes from our environment.

    Where it has such a key and names no endpoint, OpenAI's own is named, or the settings would be refused without it.
    """
    nothing = dict.fromkeys((name.upper() for name in Settings.model_fields), "")
    if running.has_model_key:
        del nothing["OPENAI_API_KEY"], nothing["OPENAI_EMBEDDING_API_KEY"]
        nothing["OPENAI_BASE_URL"] = OPENAI_URL
    return nothing | running.settings | functions_environment(running, keys)


def target_stack(project: ProjectFolder, database_url: str | None) -> RunningStack | None:
    """Return the running stack, or None if another database is named."""
    running = project.running()
    return running if running is not None and database_url in {None, running.functions_url} else None


def load_environment(project: ProjectFolder, database_url: str | None) -> None:
    """Set the environment as ``required_environment`` says, and where it names nothing else, as the running stack."""
    if running := target_stack(project, database_url):
        _check_model_key(running)
        os.environ.update({name: value for name, value in running.settings.items() if not os.environ.get(name)})
    os.environ.update(required_environment(project, database_url))


def _check_model_key(running: RunningStack) -> None:
    """Refuse to read otherwise than the stack does: its model's key is written down nowhere."""
    if running.has_model_key and not (os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_EMBEDDING_API_KEY")):
        raise MisconfiguredError(
            "The running stack was started with the key of a model, and this process has none.",
            hint="Set OPENAI_API_KEY (or OPENAI_EMBEDDING_API_KEY) here too, as where `keepsake up` was started.",
        )


def required_environment(project: ProjectFolder, database_url: str | None) -> dict[str, str]:
    """Return the variables to add to the environment: those of the running stack, unless another database is named."""
    if running := target_stack(project, database_url):
        return functions_environment(running, project.keys())
    if database_url:
        return {"DATABASE_URL": database_url}
    raise MisconfiguredError(
        f"DATABASE_URL is not set, and no stack is running in {project.folder}.",
        hint="Set what .env.example lists, or start a stack with `keepsake up`.",
    )
