#!/usr/bin/env python3
"""Keeps the agent away from files that people take care of."""

import json
import sys
from pathlib import PurePath

PROTECTED = {".env", "package-lock.json", "poetry.lock"}
PROTECTED_DIRS = {".git", "secrets"}


def main() -> int:
    try:
        data = json.load(sys.stdin)
    except json.JSONDecodeError as error:
        print(f"Error: invalid JSON input: {error}", file=sys.stderr)
        return 1

    path = PurePath(data.get("tool_input", {}).get("file_path", ""))
    if path.name in PROTECTED:
        print(f"{path.name} is protected. Ask the user to change it.", file=sys.stderr)
        return 2
    if PROTECTED_DIRS & set(path.parts):
        print(f"Files under {path.parent} are protected.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
