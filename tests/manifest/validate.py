"""Usage: validate.py SCHEMA DOCUMENTS: prints for each of several named documents why it is not valid."""

import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as schema, open(sys.argv[2], encoding="utf-8") as documents:
    validator = jsonschema.Draft202012Validator(json.load(schema))
    named = json.load(documents)
validator.check_schema(validator.schema)
json.dump(
    {name: [error.message for error in validator.iter_errors(document)] for name, document in named.items()},
    sys.stdout,
)
