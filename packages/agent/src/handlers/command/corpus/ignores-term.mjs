#!/usr/bin/env node
process.on('SIGTERM', () => {})
setInterval(() => {}, 60_000)
