import json, os, sys

data = json.load(sys.stdin)
args = data["toolArgs"]
path = os.path.relpath(args["path"], data["cwd"])
if path.startswith("dist/"):
    print(json.dumps({"permissionDecision": "deny", "permissionDecisionReason": "dist/ is generated; edit src/ instead"}))
elif not path.startswith("src/"):
    args["path"] = os.path.join(data["cwd"], "src", path)
    print(json.dumps({"permissionDecision": "allow", "modifiedArgs": args}))
