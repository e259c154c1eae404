#!/usr/bin/env python3
import json

with open('/dev/stdin') as source:
    envelope = json.load(source)
print(json.dumps({'type': 'reject', 'reason': envelope['protocol']}))
