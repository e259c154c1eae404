import { readFileSync } from 'node:fs'

const { tool_input: input } = JSON.parse(readFileSync(0, 'utf8'))
const files = [...input.command.matchAll(/^\*\*\* \w+ File: (.+)$/gm)].map(
  (match) => match[1],
)
const locked = files.find((file) => /package-lock\.json$|\.lock$/.test(file))
if (locked) {
  process.stdout.write(
    JSON.stringify({ decision: 'block', reason: `${locked} is generated.` }),
  )
}
