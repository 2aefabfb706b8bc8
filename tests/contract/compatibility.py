"""What clients rely on, flat enough to compare: which changes would break one that was written for an older version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Surface = dict[str, Any]


def surface(openapi: Mapping[str, Any], errors: list[dict[str, Any]], access: Mapping[str, Any]) -> Surface:
    """The contract as three maps: the fields of each function, the error codes, and what each role may do."""
    functions = {}
    for path, operations in openapi["paths"].items():
        for operation in operations.values():
            functions[path.removeprefix("/functions/v1/")] = _function(openapi, operation)
    codes = {error["code"]: error["status"] for error in errors}
    return {"version": openapi["info"]["version"], "functions": functions, "errors": codes, "browser": dict(access)}


def breaking_changes(before: Surface, now: Surface) -> list[str]:
    """Each change that a client of the older version may fail on, as a line."""
    return [
        *_changed_functions(before["functions"], now["functions"]),
        *(f"error code {code}" for code, status in before["errors"].items() if now["errors"].get(code) != status),
        *(line for role in before["browser"] for line in _changed_access(role, before, now)),
    ]


def is_new_major(before: str, now: str) -> bool:
    """Whether a version has a higher first number than another."""
    return int(now.split(".", maxsplit=1)[0]) > int(before.split(".", maxsplit=1)[0])


def _function(openapi: Mapping[str, Any], operation: Mapping[str, Any]) -> dict[str, Any]:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answers = {status: answer for status, answer in operation["responses"].items() if "content" in answer}
    return {
        "query": sorted(parameter["name"] for parameter in operation.get("parameters", [])),
        "request": dict(_fields(openapi, body, "", set())) if body else {},
        "responses": {
            status: dict(_fields(openapi, content["schema"], "", set()))
            for status, answer in answers.items()
            for media_type, content in answer["content"].items()
            if media_type == "application/json"
        },
    }


def _fields(
    openapi: Mapping[str, Any], schema: Mapping[str, Any], at: str, within: set[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The fields of a schema by their path, each with its types and whether it is always there."""
    reference = schema.get("$ref", "")
    if reference in within:
        return
    if reference:
        named = openapi["components"]["schemas"][reference.rpartition("/")[2]]
        yield from _fields(openapi, named, at, within | {reference})
    for number, choice in enumerate(schema.get("anyOf", schema.get("oneOf", []))):
        name = choice.get("$ref", "").rpartition("/")[2] or choice.get("title") or str(number)
        shape = f"{at}<{name}>" if choice.get("properties") or "$ref" in choice else at
        yield from _fields(openapi, choice, shape, within)
    if "items" in schema:
        yield from _fields(openapi, schema["items"], f"{at}[]", within)
    for name, field in schema.get("properties", {}).items():
        path = f"{at}.{name}" if at else name
        yield path, {"types": sorted(_types(openapi, field)), "required": name in schema.get("required", [])}
        yield from _fields(openapi, field, path, within)


def _types(openapi: Mapping[str, Any], schema: Mapping[str, Any]) -> set[str]:
    if "$ref" in schema:
        return _types(openapi, openapi["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    choices = schema.get("anyOf", schema.get("oneOf", []))
    if choices:
        return set().union(*(_types(openapi, choice) for choice in choices))
    if "enum" in schema or "const" in schema:
        return {f"={value}" for value in schema.get("enum", [schema.get("const")])}
    return {str(schema.get("type", "any"))}


def _changed_functions(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name, old in before.items():
        new = now.get(name)
        if new is None:
            yield f"{name} is gone"
            continue
        yield from (f"{name}: ?{query} is gone" for query in old["query"] if query not in new["query"])
        yield from (f"{name} takes {line}" for line in _narrower_request(old["request"], new["request"]))
        for status, fields in old["responses"].items():
            changed = _wider_response(fields, new["responses"].get(status, {}))
            yield from (f"{name} answers {status} {line}" for line in changed)


def _narrower_request(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for path, old in before.items():
        if path not in now:
            yield f"{path} no more"
        elif missing := set(old["types"]) - set(now[path]["types"]):
            yield f"{path} no more as {', '.join(sorted(missing))}"
    for path, new in now.items():
        is_new_shape = ">" in path and not any(old.startswith(path.rpartition(">")[0]) for old in before)
        if new["required"] and not before.get(path, {}).get("required") and not is_new_shape:
            yield f"only with {path}"


def _wider_response(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for path, old in before.items():
        new = now.get(path)
        if new is None or (old["required"] and not new["required"]):
            yield f"without {path}"
        elif "null" in set(new["types"]) - set(old["types"]) or not set(old["types"]) & set(new["types"]):
            yield f"with {path} as {', '.join(new['types'])}"


def _changed_access(role: str, before: Surface, now: Surface) -> Iterator[str]:
    old, new = before["browser"][role], now["browser"].get(role, {"tables": {}, "functions": {}})
    for table, may in old["tables"].items():
        yield from (f"{role} {line}" for line in _lost_privileges(table, may, new["tables"].get(table, {})))
    for name, rpc in old["functions"].items():
        changed = _changed_rpc(rpc, new["functions"].get(name, {"arguments": {}, "returns": None}))
        yield from (f"{role}: {name} {line}" for line in changed)


def _lost_privileges(table: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for privilege in ("select", "insert", "update", "embeds"):
        lost = set(before[privilege]) - set(now.get(privilege, []))
        yield from (f"may not {privilege} {table}.{column}" for column in sorted(lost))
    if before["delete"] and not now.get("delete"):
        yield f"may not delete {table}"


def _changed_rpc(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    if now["returns"] != before["returns"]:
        yield f"returns {now['returns']}"
    for argument, kind in before["arguments"].items():
        if now["arguments"].get(argument, {}).get("type") != kind["type"]:
            yield f"takes no {argument}"
    for argument, kind in now["arguments"].items():
        if kind["required"] and not before["arguments"].get(argument, {}).get("required"):
            yield f"needs {argument}"
