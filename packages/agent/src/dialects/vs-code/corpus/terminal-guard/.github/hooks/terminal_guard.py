import json
import sys

payload = json.load(sys.stdin)
if payload["tool_name"] != "run_in_terminal":
    sys.exit(0)
command = payload["tool_input"]["command"]
decision = None
if "DROP TABLE" in command:
    decision, reason = "deny", "Destructive SQL is not run from here."
elif command.startswith("docker "):
    decision, reason = "ask", "Containers need a person's eye."
if decision:
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason}}))
