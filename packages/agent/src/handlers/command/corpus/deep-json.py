#!/usr/bin/env python3
print('{"type":"proceed","contributions":' + '[' * 10_000 + ']' * 10_000 + '}')
