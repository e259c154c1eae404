#!/usr/bin/env python3
import sys

sys.stdout.write('{"type":"reject","reason":"N')
