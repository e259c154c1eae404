import { readFileSync } from 'node:fs'

const { tool_name, tool_input } = JSON.parse(readFileSync(0, 'utf8'))
if (tool_name === 'create_file' && tool_input.filePath.endsWith('.ts')) {
  const content = `// Copyright Example Ltd.\n${tool_input.content}`
  process.stdout.write(
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { ...tool_input, content },
      },
    }),
  )
}
