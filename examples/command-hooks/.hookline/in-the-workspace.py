# #region in-the-workspace
import json
import sys

# One process for all calls: a line in, a line out.
for line in sys.stdin:
    moment = json.loads(line)
    args = moment["input"]["args"]
    if args["path"].startswith("/workspace/"):
        answer = {"type": "proceed"}
    else:
        path = "/workspace/" + args["path"].lstrip("/")
        answer = {"type": "transform", "value": {**args, "path": path}}
    # It says which run it is about: answers may come in any order.
    print(json.dumps({**answer, "run": moment["run"]}), flush=True)
# #endregion
