#!/usr/bin/env python3
import json
import re
import shlex
import sys

CONVENTIONAL = re.compile(r"^(feat|fix|docs|refactor|test|chore)(\([\w-]+\))?!?: .{1,72}$")

data = json.load(sys.stdin)
command = data["tool_input"]["command"]
with open(".claude/checked.log", "a") as log:
    log.write(command + "\n")

try:
    words = shlex.split(command)
except ValueError:
    sys.exit(0)

message = None
for index, word in enumerate(words):
    if word in ("-m", "--message") and index + 1 < len(words):
        message = words[index + 1]
        break

if message is not None and not CONVENTIONAL.match(message.splitlines()[0]):
    print(json.dumps({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "Use a conventional commit: 'fix(parser): ...'.",
        }
    }))
