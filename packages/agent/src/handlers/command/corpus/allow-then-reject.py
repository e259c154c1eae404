#!/usr/bin/env python3
print('{"type":"proceed"}')
print('{"type":"reject","reason":"No."}')
