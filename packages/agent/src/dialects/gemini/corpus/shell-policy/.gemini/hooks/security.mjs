import { appendFileSync, readFileSync } from 'node:fs'

const input = JSON.parse(readFileSync(0, 'utf8'))
appendFileSync('.gemini/calls.log', `${input.tool_name}\n`)
const { command = '', content = '' } = input.tool_input
if (/rm\s+-rf\s+\//.test(command)) {
  process.stderr.write('Refusing to delete the root of anything.')
  process.exit(2)
}
if (/AKIA[0-9A-Z]{16}/.test(content)) {
  process.stdout.write(
    JSON.stringify({
      decision: 'deny',
      reason: 'That file would hold an AWS key.',
      systemMessage: 'A secret was kept out of the repository.',
    }),
  )
} else {
  process.stdout.write(JSON.stringify({ decision: 'allow' }))
}
