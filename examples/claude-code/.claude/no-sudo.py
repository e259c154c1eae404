# #region no-sudo
import json
import sys

call = json.load(sys.stdin)
if call["tool_name"] == "Bash" and "sudo" in call["tool_input"]["command"]:
    print("Nothing here needs root.", file=sys.stderr)
    sys.exit(2)
# #endregion
