#!/usr/bin/env node
import { readFileSync } from 'node:fs'

const { run } = JSON.parse(readFileSync('/dev/stdin', 'utf8'))
process.stdout.write(JSON.stringify({ type: 'proceed', run }))
