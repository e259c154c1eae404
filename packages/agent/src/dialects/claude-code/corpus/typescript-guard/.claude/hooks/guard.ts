import { readFileSync } from 'node:fs'

interface PreToolUseInput {
  readonly tool_name: string
  readonly tool_input: {
    readonly command?: string
    readonly file_path?: string
  }
  readonly cwd: string
}

const input: PreToolUseInput = JSON.parse(readFileSync(0, 'utf8'))

function decide(
  permissionDecision: 'allow' | 'deny' | 'ask',
  permissionDecisionReason: string,
  more: object = {},
): void {
  process.stdout.write(
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision,
        permissionDecisionReason,
        ...more,
      },
    }),
  )
}

const { command = '' } = input.tool_input
if (input.tool_name === 'Read') decide('allow', 'Reading is fine.')
else if (/^git (status|diff|log)\b/.test(command))
  decide('allow', 'Read-only git.')
else if (command.startsWith('npm publish'))
  decide('ask', 'Publishing needs a person.', {
    updatedInput: { ...input.tool_input, command: `${command} --dry-run` },
  })
else if (command.startsWith('npm install'))
  decide('allow', 'With a lock file only.', {
    updatedInput: { ...input.tool_input, command: 'npm ci' },
  })
