#!/usr/bin/env python3
import os
import resource

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
print('{"type":"proceed"}', flush=True)
os.abort()
