#!/usr/bin/env node
process.stdout.write('{"type":"proceed","run":"another/run"}')
