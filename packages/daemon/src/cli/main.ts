#!/usr/bin/env node
import { hooklineVersion } from '../version.ts'

const words = process.argv.slice(2)

if (words[0] === '--version' || words[0] === '-V') {
  process.stdout.write(`${hooklineVersion()}\n`)
} else if (words[0] === 'bridge' && !words.some(isHelp)) {
  const { runBridge } = await import('./commands/bridge/run-bridge.ts')
  await runBridge(words.slice(1))
} else {
  const { runCli } = await import('./run-cli.ts')
  await runCli(words)
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}
