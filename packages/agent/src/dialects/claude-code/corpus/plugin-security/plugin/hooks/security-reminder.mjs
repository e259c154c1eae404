#!/usr/bin/env node
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

let text = ''
for await (const chunk of process.stdin) text += chunk
const { tool_input: input, session_id } = JSON.parse(text)
const code = input.new_string ?? input.content ?? ''

const risks = [
  [/\beval\(/, 'eval() runs whatever it is given'],
  [/child_process|os\.system/, 'a command could be injected here'],
]

appendFileSync(
  join(process.env.CLAUDE_PLUGIN_DATA, 'seen.log'),
  `${session_id}\n`,
)
const found = risks.find(([pattern]) => pattern.test(code))
if (found) {
  process.stderr.write(`Security reminder: ${found[1]}.\n`)
  process.exit(2)
}
