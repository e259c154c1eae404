#!/usr/bin/env python3
print('{"type":"proceed"}', flush=True)
raise RuntimeError('It went wrong.')
