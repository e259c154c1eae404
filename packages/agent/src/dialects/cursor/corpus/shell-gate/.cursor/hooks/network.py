#!/usr/bin/env python3
import json, sys
from urllib.parse import urlparse

ALLOWED = {"registry.npmjs.org", "api.github.com"}
words = json.load(sys.stdin)["command"].split()
hosts = [urlparse(word).hostname for word in words if "://" in word]
if not hosts:
    raise SystemExit("cannot tell where this goes")
bad = [host for host in hosts if host not in ALLOWED]
print(json.dumps({"permission": "deny", "agent_message": f"{bad[0]} is not on the list."} if bad else {"permission": "allow"}))
