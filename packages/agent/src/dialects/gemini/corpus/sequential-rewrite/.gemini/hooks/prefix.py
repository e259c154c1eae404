import json, sys

data = json.load(sys.stdin)
command = sys.argv[1] + data["tool_input"]["command"]
print(json.dumps({"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"command": command}}}))
