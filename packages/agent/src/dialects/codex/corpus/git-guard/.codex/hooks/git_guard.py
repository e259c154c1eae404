#!/usr/bin/env python3
"""PreToolUse hook: blocks history rewrites, turns `git push` into a dry run."""
import json
import re
import sys

event = json.load(sys.stdin)
if event.get("tool_name") != "Bash":
    sys.exit(0)

command = event["tool_input"].get("command", "")


def emit(**fields):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}}))


if re.search(r"git\s+push\b.*(--force\b|-f\b)", command):
    emit(
        permissionDecision="deny",
        permissionDecisionReason="Force pushes are not allowed. Open a PR instead.",
    )
elif re.search(r"git\s+push\b", command) and "--dry-run" not in command:
    emit(
        permissionDecision="allow",
        updatedInput={**event["tool_input"], "command": command + " --dry-run"},
    )
