#!/usr/bin/env python3
"""validate.py SCHEMA FILE...: is each file what the JSON schema says? Exit code 77: no validator."""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

schema = json.load(open(sys.argv[1]))
validator = jsonschema.Draft202012Validator(schema)
validator.check_schema(schema)
bad = 0
for name in sys.argv[2:]:
    for error in validator.iter_errors(json.load(open(name))):
        print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
        bad += 1
sys.exit(1 if bad else 0)
