#!/usr/bin/env python3
"""A review has to say which files it is about."""
import json
import os
import sys

data = json.load(sys.stdin)
if data.get("stop_hook_active"):
    sys.exit(0)
if not os.path.exists(data["agent_transcript_path"]):
    print("no transcript", file=sys.stderr)
    sys.exit(1)
if "Files:" not in data.get("last_assistant_message", ""):
    print("End with a line 'Files:' that lists what you looked at.", file=sys.stderr)
    sys.exit(2)
