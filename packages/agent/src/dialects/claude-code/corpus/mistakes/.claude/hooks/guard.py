#!/usr/bin/env python3
import json
import sys

data = json.load(sys.stdin)
if "rm " in data["tool_input"]["command"]:
    print("Do not remove files.")
    sys.exit(1)
