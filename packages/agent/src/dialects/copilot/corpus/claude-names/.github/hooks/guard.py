import json, sys

data = json.load(sys.stdin)
assert data["hook_event_name"] == "PreToolUse", data
if data["tool_name"] == "Bash" and "prod" in data["tool_input"]["command"]:
    print("Not against production.", file=sys.stderr)
    sys.exit(2)
if data["tool_name"] == "Write" and data["tool_input"]["file_path"].endswith(".pem"):
    raise RuntimeError("unexpected key file")
