"""All settings of Keepsake, read from the environment once, into an immutable object."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from keepsake.errors import MisconfiguredError
from keepsake.infra import setting_formats as formats
from keepsake.infra.json_setting import JsonObject
from keepsake.infra.setting_checks import MIN_SECRET_LENGTH, check_model_endpoints, check_secret_formats


class Settings(BaseSettings):
    """The settings of one process; each field is the environment variable of the same name."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True, hide_input_in_errors=True)

    # The database
    database_url: formats.PostgresUrl = Field(
        description="Postgres URL the functions log in with, as the role keepsake_api."
    )
    migration_database_url: formats.PostgresUrl | None = Field(
        default=None, description="Postgres URL of the owner; only `keepsake migrate` and `keepsake doctor` use it."
    )
    database_pool_size: Annotated[int, Field(ge=1, le=100)] = Field(
        default=10, description="Most connections one process holds."
    )
    database_timeout_seconds: Annotated[float, Field(gt=0)] = Field(
        default=5.0, description="Longest wait for a connection before answering 503."
    )
    statement_timeout_seconds: Annotated[float, Field(gt=0)] = Field(
        default=15.0, description="Longest a single statement may run."
    )
    inject_patience_seconds: Annotated[float, Field(gt=0)] = Field(
        default=0.8, description="Longest inject-memory waits for a connection or a lock before answering 503."
    )
    database_pipeline: bool = Field(
        default=True, description="Send statements in batches; false where a pooler in between does not allow it."
    )
    database_prepare: bool = Field(
        default=True, description="Keep the plans of frequent statements; done only where no pooler is in between."
    )

    # Who may call
    supabase_url: formats.HttpUrl = Field(
        default="http://127.0.0.1:54321", description="Origin of the Supabase project; the issuer follows from it."
    )
    supabase_jwt_secret: SecretStr | None = Field(
        default=None, description="The project's legacy HS256 secret, at least 32 characters."
    )
    supabase_jwks_url: formats.HttpUrl | None = Field(
        default=None, description="Where the project publishes its ES256 and RS256 keys."
    )
    supabase_jwks: str | None = Field(default=None, description="The same key set given inline, as JSON.")
    supabase_jwt_issuer: str | None = Field(
        default=None, description="Issuer people's tokens must name; default: SUPABASE_URL + /auth/v1."
    )
    supabase_jwt_audience: str = Field(default="authenticated", description="Audience people's tokens must name.")
    supabase_secret_key: SecretStr | None = Field(
        default=None, description="The key services send as `apikey` (sb_secret_…); several, separated by commas."
    )
    webhook_secrets: SecretStr | None = Field(
        default=None, description="Standard Webhooks secrets (whsec_…); several, separated by commas, for rotation."
    )
    export_signing_key: SecretStr | None = Field(
        default=None,
        description="What signs exports, so that an import knows them again; several, separated by commas, for "
        "rotation. Default: derived from SUPABASE_JWT_SECRET or SUPABASE_SECRET_KEY.",
    )
    cors_origins: formats.Origins = Field(
        default="*", description="Origins browsers may call from, separated by commas; * for any."
    )

    body_deadline_seconds: Annotated[float, Field(gt=0, le=600)] = Field(
        default=30.0, description="Longest a request body may take to arrive; a large file gets more as it arrives."
    )

    # Extraction
    extractions_per_minute: Annotated[int, Field(ge=1)] = Field(
        default=60, description="Extractions one person may cause in a minute."
    )
    model_deadline_seconds: Annotated[float, Field(gt=0)] = Field(
        default=30.0, description="Longest one extraction may think; a claim twice as old may be taken over."
    )

    summary_window_tokens: int = Field(default=32_000, ge=2000, description="Tokens the model of summaries can read.")
    summary_interval: int = Field(default=4, ge=1, le=50, description="Turns between summaries of a conversation.")
    assistant_names: str = Field(
        default="bot",
        description="Names by which a chat command may address the assistant, separated by commas, as in "
        "`Mona, forget pizza`. A persona is also addressed by its own name.",
    )
    reading_deadline_seconds: Annotated[float, Field(gt=0, le=60)] = Field(
        default=2.0, description="Most seconds of CPU for reading a message; beyond them its turn is skipped."
    )
    reading_processes: Annotated[int, Field(ge=1, le=16)] = Field(
        default=1, description="Processes in which one process of the functions reads messages."
    )

    # The language model
    openai_extraction_model: str | None = Field(
        default=None, description="Model that finds memories, at any OpenAI-compatible endpoint; unset: rules."
    )
    openai_extraction_verdict: formats.Verdict | None = Field(default=None, description="Replaces the trial's verdict.")
    model_trial: bool = Field(default=True, description="Try a model without a verdict by itself, in the background.")
    openai_summary_model: str | None = Field(
        default=None, description="Model that writes summaries, at the same endpoint; unset: rules."
    )
    openai_summary_models: str = Field(
        default="", description="Tasks: conversation, session, spine, day, history, context, week, month, year."
    )
    openai_api_key: SecretStr | None = Field(default=None, description="The endpoint's key; local ones need none.")
    openai_base_url: formats.HttpUrl | None = Field(
        default=None, description="Where the endpoint is, up to /v1; default: OpenAI's own."
    )
    openai_schema_mode: Literal["auto", "json_schema", "json_object", "prompt"] = Field(
        default="auto", description="How a reply's form is asked for; auto learns what the endpoint knows."
    )
    model_patience_seconds: Annotated[float, Field(gt=0)] = Field(
        default=600.0, description="Longest a message waits for a model that is away; then the rules read it."
    )
    model_requests_per_minute: Annotated[int, Field(ge=0, le=100_000)] = Field(
        default=0, description="Most calls a minute, of all processes together and evenly spaced; 0 for no limit."
    )
    model_output_tokens: Annotated[int, Field(ge=200, le=100_000)] = Field(
        default=1600, description="Most tokens of one reply; models that think before they answer need more."
    )
    model_may_think: bool = Field(default=False, description="Whether a model may think; else it is asked not to.")
    model_request_fields: JsonObject = Field(
        default="", description='Fields added to each request, as JSON, for example {"reasoning_effort": "low"}.'
    )
    model_window_tokens: Annotated[int, Field(ge=0)] = Field(
        default=0, description="Tokens the model reads and writes; a longer message is shortened; 0 for no limit."
    )
    memories_per_message: Annotated[int, Field(ge=1, le=20)] = Field(
        default=6, description="Most new memories of one message, the most important; also what a model is asked for."
    )
    model_tokens_per_user_per_day: Annotated[int, Field(ge=0)] = Field(
        default=200_000, description="Tokens one person may cost in a day (UTC), then rules; 0 for no limit."
    )
    model_tokens_per_day: Annotated[int, Field(ge=0)] = Field(
        default=5_000_000, description="Tokens all people may cost in a day (UTC), then rules; 0 for no limit."
    )

    # Embeddings, which find what shares no word with a message
    embedding: str | None = Field(
        default=None,
        description="Where vectors come from: local (the extra local-embeddings), endpoint, off, or a model's folder. "
        "Default: endpoint if OPENAI_EMBEDDING_MODEL is set, else local if installed, else off.",
    )
    openai_embedding_model: str | None = Field(
        default=None, description="Model of the endpoint that embeds memories and messages."
    )
    openai_embedding_base_url: formats.HttpUrl | None = Field(
        default=None, description="Its endpoint, up to /v1, where it is another than OPENAI_BASE_URL."
    )
    openai_embedding_api_key: SecretStr | None = Field(
        default=None, description="Its endpoint's key; default: OPENAI_API_KEY, if the endpoint is the same."
    )
    openai_embedding_dimensions: Annotated[int, Field(ge=0, le=2000)] = Field(
        default=0, description="How long its vectors are to be, at most 2000; 0 as the model has them."
    )
    embedding_deadline_ms: Annotated[int, Field(ge=1, le=10_000)] = Field(
        default=150, description="Longest a message waits for its vector; then words alone decide."
    )
    embedding_batch_size: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=64, description="Memories embedded in one request in the background."
    )
    embedding_batch_seconds: Annotated[float, Field(gt=0)] = Field(
        default=30.0, description="Longest such a request may take."
    )
    embedding_tokens_per_day: Annotated[int, Field(ge=0)] = Field(
        default=50_000_000, description="Tokens a day (UTC) that memories may cost, then they wait; 0 for no limit."
    )

    # Injection
    max_memories: Annotated[int, Field(ge=0, le=10)] = Field(default=10, description="Most memories in one context.")
    token_budget: Annotated[int, Field(ge=0, le=600)] = Field(default=600, description="Most tokens in one context.")
    first_token_budget: Annotated[int, Field(ge=0, le=1200)] = Field(
        default=1200, description="Most tokens in the context of a conversation's first message."
    )
    control_share: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.0, description="Share of people who get no memories, to measure what memories do (0 to 1)."
    )
    selection_strategy: Literal["fused", "prior", "keyword", "blend"] = Field(
        default="fused", description="How memories are ranked; see domain/context/scoring.py."
    )

    # Jobs and logs
    jobs_per_run: Annotated[int, Field(ge=1)] = Field(default=500, description="Due turns one run-due-jobs picks up.")
    run_due_seconds: Annotated[float, Field(ge=0)] = Field(
        default=20.0, description="Longest run-due-jobs works on the queue before it answers."
    )
    worker_concurrency: Annotated[int, Field(ge=1, le=64)] = Field(default=4, description="Jobs a worker runs at once.")
    audit_log_days: Annotated[int, Field(ge=31)] = Field(
        default=365, description="Days the audit log is kept; what an operation changed can be undone for 30."
    )
    message_retention_days: Annotated[int, Field(ge=8)] | None = Field(
        default=None,
        description="Days after which texts of messages are deleted, once all that needs them is written; unset: off.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="Least severe line.")

    @classmethod
    def load(cls, **overrides: Any) -> Self:
        """Read the environment (``overrides`` take precedence), or raise MisconfiguredError."""
        try:
            return cls(**overrides)
        except ValidationError as error:
            raise MisconfiguredError("; ".join(_describe_problem(problem) for problem in error.errors())) from None

    @property
    def issuer(self) -> str:
        """The issuer a person's token must name."""
        return self.supabase_jwt_issuer or f"{self.supabase_url.rstrip('/')}/auth/v1"

    @property
    def secret_keys(self) -> tuple[str, ...]:
        """The service keys in use."""
        return formats.split_list(self.supabase_secret_key)

    @property
    def assistant_name_list(self) -> tuple[str, ...]:
        """The names by which a command may address the assistant."""
        return tuple(name.strip() for name in self.assistant_names.split(",") if name.strip())

    def summary_model(self, task: str) -> str | None:
        """The model for summaries of one kind, for example of a day; None where rules write them."""
        return formats.split_models(self.openai_summary_models).get(task, self.openai_summary_model)

    @property
    def webhook_keys(self) -> tuple[str, ...]:
        """The webhook secrets in use, newest first."""
        return formats.split_list(self.webhook_secrets)

    @property
    def signing_keys(self) -> tuple[bytes, ...]:
        """The keys for signed exports: the first signs, all verify; explicit keys first, then derived ones."""
        derived = (*formats.split_list(self.supabase_jwt_secret), *self.secret_keys)
        return tuple(formats.signing_key(secret) for secret in (*formats.split_list(self.export_signing_key), *derived))

    @property
    def embedding_endpoint(self) -> tuple[str | None, SecretStr | None]:
        """The endpoint for embeddings and its key; a key is sent only to the endpoint it belongs to."""
        url, key = self.openai_embedding_base_url, self.openai_embedding_api_key
        same = url is None or url == self.openai_base_url
        return (self.openai_base_url if url is None else url, key or (self.openai_api_key if same else None))

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        """The origins browsers may call from."""
        return tuple(part.strip() for part in self.cors_origins.split(",") if part.strip())

    @model_validator(mode="after")
    def _check_authentication(self) -> Self:
        if self.supabase_jwks_url and self.supabase_jwks:
            raise ValueError("give SUPABASE_JWKS_URL or SUPABASE_JWKS, not both")
        if not (self.supabase_jwt_secret or self.supabase_jwks_url or self.supabase_jwks):
            raise ValueError("nobody could sign in: set SUPABASE_JWT_SECRET, SUPABASE_JWKS_URL or SUPABASE_JWKS")
        if self.supabase_jwt_secret and len(self.supabase_jwt_secret.get_secret_value()) < MIN_SECRET_LENGTH:
            raise ValueError(f"SUPABASE_JWT_SECRET is shorter than {MIN_SECRET_LENGTH} characters")
        if not (self.secret_keys or self.supabase_jwt_secret):
            raise ValueError("no service could call: set SUPABASE_SECRET_KEY")
        if self.supabase_jwks and not formats.is_key_set(self.supabase_jwks):
            raise ValueError('SUPABASE_JWKS is not a key set: expected {"keys": [...]}')
        return self

    @model_validator(mode="after")
    def _check_model_endpoints(self) -> Self:
        check_model_endpoints(self)
        return self

    @model_validator(mode="after")
    def _check_secret_format(self) -> Self:
        check_secret_formats(self)
        return self


def _describe_problem(problem: Any) -> str:
    """Describe a validation problem: the variable, then what is wrong with it."""
    message = str(problem["msg"]).removeprefix("Value error, ")
    name = "_".join(str(part) for part in problem["loc"]).upper()
    if problem["type"] == "missing":
        return f"{name} is not set"
    return f"{name}: {message}" if name else message
