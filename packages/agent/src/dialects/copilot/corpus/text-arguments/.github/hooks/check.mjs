import { readFileSync } from 'node:fs'

const event = JSON.parse(readFileSync(0, 'utf8'))
const { command } = JSON.parse(event.toolArgs)
if (command.includes('node-says-no')) {
  process.stdout.write(
    JSON.stringify({
      permissionDecision: 'deny',
      permissionDecisionReason: 'Node says no.',
    }),
  )
}
