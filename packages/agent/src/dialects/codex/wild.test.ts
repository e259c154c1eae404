import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStage } from '../../runtime/fixtures/stage.ts'
import { tool } from '../../runtime/fixtures/tools.ts'
import { openHookBench } from '../fixtures/hook-bench.ts'
import { openRuleBench } from '../fixtures/rule-bench.ts'
import { codex } from './codex.ts'

const guard = {
  hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x' }] }] },
}

async function patchOf(tool: string, args: Record<string, string>) {
  const bench = await openRuleBench(codex, guard)
  await bench.ask('tool.pre_call', 'PreToolUse', { tool, args })
  const told = JSON.parse(String(bench.specs[0]?.stdin))
  return told.tool_input.command
}

// Scripts compare the files of a patch with `src/` and the like.
test.each([
  ['edit', 'src/a.ts', '*** Update File: src/a.ts'],
  ['edit', '/project/src/a.ts', '*** Update File: src/a.ts'],
  ['write', '.env', '*** Add File: .env'],
  ['write', '../other/a.ts', '*** Add File: /other/a.ts'],
  ['write', '/etc/passwd', '*** Add File: /etc/passwd'],
])(
  'a patch names files from where the session is: %s %s',
  async (tool, path, line) => {
    const args =
      tool === 'write' ? { content: 'x' } : { oldText: 'a', newText: 'b' }
    const patch = await patchOf(tool, { path, ...args })
    expect(patch.split('\n')[1]).toBe(line)
  },
)

test('a patch that comes back as it was is no change', async () => {
  const speak = (text: string) => ({
    stdout: JSON.stringify({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: text },
      },
    }),
  })
  const bench = await openRuleBench(codex, guard, {
    speak: ({ stdin }) => speak(JSON.parse(String(stdin)).tool_input.command),
  })
  const args = { path: 'src/a.ts', oldText: 'a', newText: 'b' }
  const { type } = await bench.ask('tool.pre_call', 'PreToolUse', {
    tool: 'edit',
    args,
  })
  expect(type).toBe('proceed')
})

test('the model is told as soon as one has answered', async () => {
  const bench = openHookBench()
  const keep = 'jq -r .model >> models.txt'
  const entry = [{ hooks: [{ type: 'command', command: keep }] }]
  const hooks = { UserPromptSubmit: entry, PreToolUse: entry }
  const source = { file: 'hooks.json', layer: 'project' as const }
  const file = codex.readFile(JSON.stringify({ hooks }), source)
  const stage = await openStage(
    [
      { calls: [{ tool: 'shell', args: { command: 'ls' } }] },
      { text: 'Done.' },
      { text: 'Again.' },
    ],
    {
      hooks: await codex.toHooks(file.hooks, bench.partsWith()),
      tools: [tool('shell', () => 'ok', 'mutating')],
    },
  )
  await stage.say('Go.')
  await stage.say('And now?')
  await stage.close()
  const told = readFileSync(join(bench.folder, 'models.txt'), 'utf8')
  expect(told).toBe('\nscript\nscript\n')
  await bench.close()
})

test('the folder of managed scripts is no event', () => {
  const text = `[hooks]
managed_dir = "/opt/hooks"
windows_managed_dir = 'C:\\hooks'

[[hooks.PreToolUse]]
matcher = "^Bash$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "/opt/hooks/guard"
`
  const source = { file: '/etc/codex/requirements.toml' }
  const read = codex.readFile(text, { ...source, layer: 'managed' })
  expect(read.findings).toEqual([])
  expect(read.hooks).toHaveLength(1)
})
