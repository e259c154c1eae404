# #region guard-py
import json
import sys

moment = json.load(sys.stdin)
command = moment["input"]["args"]["command"]
if "--force" in command.split():
    print("Do not force a push; rebase and push again.", file=sys.stderr)
    sys.exit(2)  # a veto; its reason is what was printed
# #endregion
