"""Generates the OpenAPI document from the declarations of the functions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from keepsake.contracts.problem import Problem
from keepsake.contracts.version import CONTRACT_VERSION
from keepsake.endpoints._declaration import PREFIX, Declaration
from keepsake.endpoints._errors import STATUSES
from keepsake.identity import Caller

_REF = "#/components/schemas/{model}"
_ERROR_STATUSES = sorted(set(STATUSES.values()))
_SECURITY: dict[Caller, list[dict[str, list[str]]]] = {
    Caller.SERVICE: [{"secretKey": []}, {"serviceRole": []}],
    Caller.PERSON: [{"person": []}],
    Caller.WEBHOOK: [{"webhookSignature": []}],
}
_SCHEMES = {
    "secretKey": {"type": "apiKey", "in": "header", "name": "apikey", "description": "A secret key, sb_secret_…"},
    "serviceRole": {"type": "http", "scheme": "bearer", "description": "The legacy service-role JWT."},
    "person": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "A signed-in person's JWT."},
    "webhookSignature": {
        "type": "apiKey",
        "in": "header",
        "name": "webhook-signature",
        "description": "Standard Webhooks, with webhook-id and webhook-timestamp.",
    },
}


def openapi_document(declarations: Iterable[Declaration]) -> str:
    """Render the document as JSON, deterministically."""
    declared = sorted(declarations, key=lambda declaration: declaration.name)
    names, schemas = _schemas(declared)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Keepsake",
            "version": CONTRACT_VERSION,
            "description": "A long-term memory layer for chat applications on Supabase.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:54321"}],
        "paths": {
            **{f"/{PREFIX}/{one.name}": {one.method.lower(): _operation(one, names)} for one in declared},
            **{f"/{PREFIX}/{one.name}/{page}": {"get": _page(one, page)} for one in declared for page in one.documents},
        },
        "components": {
            "schemas": schemas,
            "securitySchemes": _SCHEMES,
            "responses": {_error_name(status): _response(status, _json(names[Problem])) for status in _ERROR_STATUSES},
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def _schemas(declared: Iterable[Declaration]) -> tuple[dict[type[BaseModel], Any], dict[str, Any]]:
    """Return the schema of each model, and the shared components."""
    requests = [one.request for one in declared]
    responses = [model for one in declared for model in one.responses.values() if model is not None]
    wanted = [(model, "validation" if model in requests else "serialization") for model in [*requests, *responses]]
    wanted.append((Problem, "serialization"))
    by_model, components = models_json_schema(list(dict.fromkeys(wanted)), ref_template=_REF)  # type: ignore[arg-type]
    by_class = {model: schema for (model, _), schema in by_model.items() if issubclass(model, BaseModel)}
    return by_class, _without_null_defaults(components.get("$defs", {}))


def _without_null_defaults(schema: Any) -> Any:
    """Return a schema without ``default: null``, by which generators of clients take a field to be always there."""
    if isinstance(schema, list):
        return [_without_null_defaults(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: _without_null_defaults(value) for name, value in schema.items() if (name, value) != ("default", None)}


def _operation(declaration: Declaration, schemas: dict[type[BaseModel], Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": declaration.name.removesuffix(".json").replace("-", "_"),
        "summary": declaration.summary,
        "security": [scheme for caller in sorted(declaration.callers) for scheme in _SECURITY[caller]] or [{}],
        "responses": _responses(declaration, schemas),
    }
    if declaration.query:
        operation["parameters"] = [
            {"name": name, "in": "query", "description": description, "schema": {"type": "string"}}
            for name, description in declaration.query.items()
        ]
    if declaration.method == "POST":
        required = any(field.is_required() for field in declaration.request.model_fields.values())
        file = {} if declaration.max_upload_bytes is None else _files(declaration.extra_media_types)
        operation["requestBody"] = {"required": required, "content": _json(schemas[declaration.request]) | file}
    return operation


def _page(declaration: Declaration, page: str) -> dict[str, Any]:
    return {
        "operationId": f"{declaration.name.replace('-', '_')}_{page}",
        "summary": f"The {page} of {declaration.name}.",
        "security": [{}],
        "responses": {"200": _response(200, _json({"type": "object"}))},
    }


def _responses(declaration: Declaration, schemas: dict[type[BaseModel], Any]) -> dict[str, Any]:
    """Return a function's responses, and the error responses that all functions share."""
    answers: dict[str, Any] = {
        str(status): {"$ref": f"#/components/responses/{_error_name(status)}"} for status in _ERROR_STATUSES
    }
    for status, model in declaration.responses.items():
        content = {"text/plain": {"schema": {"type": "string"}}} if model is None else _json(schemas[model])
        if declaration.max_upload_bytes is None and model is not None:
            content |= _files(declaration.extra_media_types)
        answers[str(status)] = _response(status, content)
    return answers


def _error_name(status: int) -> str:
    return f"Refusal{status}"


def _files(media_types: Iterable[str]) -> dict[str, Any]:
    return {media_type: {"schema": {"type": "string"}} for media_type in media_types}


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _response(status: int, content: dict[str, Any]) -> dict[str, Any]:
    headers = {"x-request-id": {"schema": {"type": "string"}}}
    if status in {429, 503}:
        headers["retry-after"] = {"schema": {"type": "integer"}}
    codes = [code for code, of in STATUSES.items() if of == status]
    description = f"Refused, with the code {' or '.join(codes)}." if codes else "Answered."
    return {"description": description, "headers": headers, "content": content}
