#!/usr/bin/env python3
import json
import re
import sys

TOKEN = re.compile(r"ghp_[A-Za-z0-9]{8,}")


def redact(value):
    if isinstance(value, str):
        return TOKEN.sub("[token]", value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    if isinstance(value, dict):
        return {key: redact(item) for key, item in value.items()}
    return value


response = json.load(sys.stdin)["tool_response"]
clean = redact(response)
if clean != response:
    json.dump({
        "systemMessage": "A token was taken out of the output.",
        "hookSpecificOutput": {
            "hookEventName": "PostToolUse",
            "updatedToolOutput": clean,
        },
    }, sys.stdout)
