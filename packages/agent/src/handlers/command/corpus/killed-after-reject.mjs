#!/usr/bin/env node
import { writeSync } from 'node:fs'

writeSync(1, '{"type":"reject","reason":"No."}')
process.kill(process.pid, 'SIGKILL')
setInterval(() => {}, 60_000)
