#!/usr/bin/env python3
"""Writes openai.json and anthropic.json: what the public types demand, as JSON Schema draft-07.

    python3 -m venv v && v/bin/pip install openai==3.57.0 anthropic==2.14.0 && v/bin/python make_strict.py

The types are those of the packages' response models. Prose is dropped, and what is private to Python.
"""
import importlib.metadata
import json
import pathlib
import typing

import pydantic

HERE = pathlib.Path(__file__).parent
PROSE = {"title", "description", "examples", "deprecated", "default", "discriminator"}


def cut_down(value, is_schema=True):
    """Drops prose, which is no part of what must hold; names of properties are not keywords."""
    if isinstance(value, list):
        return [cut_down(part) for part in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for key, part in value.items():
        if is_schema and key in PROSE:
            continue
        if key == "$ref":
            part = part.replace("#/$defs/", "#/definitions/")
        out[key] = cut_down(part, not (is_schema and key in ("properties", "$defs")))
    return out


def members(union):
    """The classes of a union, aliases and annotations taken off."""
    if typing.get_origin(union) is typing.Annotated:
        return members(typing.get_args(union)[0])
    parts = typing.get_args(union)
    return [one for part in parts for one in members(part)] if parts else [union]


def type_of(model):
    return typing.get_args(model.model_fields["type"].annotation)[0]


def write(package, licence, roots):
    definitions = {}
    for name, model in roots.items():
        schema = cut_down(pydantic.TypeAdapter(model).json_schema(mode="validation"))
        definitions.update(schema.pop("$defs", {}))
        definitions[name] = schema
    note = (f"From the types of {package} {importlib.metadata.version(package)} ({licence}), "
            "by make_strict.py; see NOTICE.")
    out = {"$schema": "http://json-schema.org/draft-07/schema#", "$comment": note,
           "definitions": dict(sorted(definitions.items()))}
    lines = [f'  {json.dumps(key)}: {json.dumps(value)}' for key, value in out.items() if key != "definitions"]
    rows = [f'    {json.dumps(key)}: {json.dumps(value, separators=(",", ":"))}'
            for key, value in out["definitions"].items()]
    lines.append('  "definitions": {\n' + ",\n".join(rows) + "\n  }")
    (HERE / f"{package}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main():
    from anthropic import types as messages
    from openai import types as openai
    from openai.types import chat, responses

    roots = {"chat": chat.ChatCompletion, "chat.chunk": chat.ChatCompletionChunk,
             "completions": openai.Completion, "responses": responses.Response, "model": openai.Model}
    for event in members(responses.ResponseStreamEvent):
        roots[f"responses.{type_of(event)}"] = event
    write("openai", "Apache-2.0", roots)

    roots = {"messages": messages.Message}
    for event in members(messages.RawMessageStreamEvent):
        roots[f"messages.{type_of(event)}"] = event
    write("anthropic", "Apache-2.0", roots)


if __name__ == "__main__":
    main()
