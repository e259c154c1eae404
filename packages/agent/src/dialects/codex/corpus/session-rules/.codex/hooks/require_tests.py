import json, sys

payload = json.load(sys.stdin)
message = payload.get("last_assistant_message") or ""
if payload["stop_hook_active"] or "tests pass" in message.lower():
    print(json.dumps({"continue": True}))
else:
    print(json.dumps({"decision": "block", "reason": "Run the tests and say whether the tests pass."}))
