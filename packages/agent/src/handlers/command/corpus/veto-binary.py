#!/usr/bin/env python3
import sys

sys.stderr.buffer.write(bytes(range(256)) * 100)
sys.exit(2)
