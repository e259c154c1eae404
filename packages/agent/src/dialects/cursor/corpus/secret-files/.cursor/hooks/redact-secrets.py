import json
import os
import re
import sys

event = json.load(sys.stdin)
name = os.path.basename(event["file_path"])
if name.startswith(".env") or re.search(r"ghp_[A-Za-z0-9]{20,}", event["content"]):
    print(json.dumps({"permission": "deny", "user_message": f"{name} holds secrets"}))
    sys.exit(0)
print(json.dumps({"permission": "allow"}))
