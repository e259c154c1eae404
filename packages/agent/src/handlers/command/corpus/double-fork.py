#!/usr/bin/env python3
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(60)
    os._exit(0)
os.wait()
print('{"type":"proceed"}')
