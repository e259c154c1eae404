// Judges the commands of the shell. What it is asked comes as JSON on its
// input; what it prints is its answer; silence lets the call go on.
import { readFileSync } from 'node:fs'

const { input } = JSON.parse(readFileSync(0, 'utf8'))
const command = String(input.args.command)

if (/\brm\b.*\s-\w*[rf]/.test(command)) {
  answer({ type: 'reject', reason: `"${command}" would delete for good.` })
} else if (command.includes('publish')) {
  answer({ type: 'ask', question: 'This goes out to customers. Publish?' })
}

function answer(value) {
  process.stdout.write(JSON.stringify(value))
}
