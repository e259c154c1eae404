import json
import sys

event = json.load(sys.stdin)
args = json.loads(event["toolArgs"])
if "python-says-no" in args["command"]:
    print(json.dumps({"permissionDecision": "deny", "permissionDecisionReason": "Python says no."}))
