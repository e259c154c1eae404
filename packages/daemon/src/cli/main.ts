#!/usr/bin/env node
// Old Nodes can load these, and are told so; the rest is loaded afterwards.
import { hooklineVersion } from '../version.ts'
import { isOldNode, oldestNode } from './old-node.ts'

const words = process.argv.slice(2)

if (isOldNode(process.versions.node)) {
  const { refuseOldNode } = await import('./refuse-old-node.ts')
  process.exitCode = refuseOldNode(words, oldestNode)
} else if (words[0] === '--version' || words[0] === '-V') {
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
