#!/usr/bin/env node
process.stdout.write('{"type":"proceed"}')
throw new Error('It went wrong.')
