#!/usr/bin/env node
import { spawn } from 'node:child_process'

spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).unref()
process.stdout.write('{"type":"proceed"}')
