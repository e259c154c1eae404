#!/usr/bin/env python3
import os
import time

for _ in range(20):
    if os.fork() == 0:
        os.setsid()
        break
time.sleep(60)
