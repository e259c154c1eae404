#!/usr/bin/env python3
import sys

sys.stdout.buffer.write('{"type":"proceed"}'.encode('utf-16'))
