#!/usr/bin/env python3
import json
import re
import sys

SENSITIVE = [
    (r"(?i)\b(password|secret|api[_-]?key)\s*[:=]\s*\S+", "it contains a credential"),
    (r"\bsk-[A-Za-z0-9]{16,}", "it contains an API key"),
]

input_data = json.load(sys.stdin)
prompt = input_data.get("prompt", "")

for pattern, why in SENSITIVE:
    if re.search(pattern, prompt):
        print(json.dumps({"decision": "block", "reason": f"The prompt was not sent: {why}."}))
        sys.exit(0)

if re.search(r"\bdeploy\b", prompt):
    print("Deployments need the checklist in docs/deploy.md.")
sys.exit(0)
