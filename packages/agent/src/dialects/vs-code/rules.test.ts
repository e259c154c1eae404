import { expect, test } from 'vitest'
import { openRuleBench } from '../fixtures/rule-bench.ts'
import { vsCode } from './vs-code.ts'

const grouped = (...commands: readonly string[]) => ({
  hooks: {
    PreToolUse: commands.map((command) => ({ type: 'command', command })),
  },
})

test('matchers are ignored, and nothing is left out as the same', async () => {
  const hooks = {
    PreToolUse: [
      { matcher: 'Write', hooks: [{ type: 'command', command: 'x' }] },
      { type: 'command', command: 'x' },
    ],
  }
  const bench = await openRuleBench(vsCode, { hooks })
  await bench.ask('tool.pre_call', '')
  expect(bench.started).toEqual(['x', 'x'])
})

test.each([
  [['allow', 'ask', 'deny'], 'reject'],
  [['ask', 'allow'], 'ask'],
  [['allow', 'allow'], 'proceed'],
] as const)('of %j the strictest holds', async (decisions, expected) => {
  const bench = await openRuleBench(vsCode, grouped(...decisions), {
    speak: (_, permissionDecision) => ({
      stdout: JSON.stringify({
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision },
      }),
    }),
  })
  expect(await bench.ask('tool.pre_call', '')).toMatchObject({ type: expected })
})

test('arguments have camel-case names, and come back with ours', async () => {
  const edit = { tool: 'edit', args: { path: 'a', oldText: 'b', newText: 'c' } }
  const bench = await openRuleBench(vsCode, grouped('x'), {
    speak({ stdin }) {
      const { tool_name, tool_input } = JSON.parse(stdin)
      expect(tool_name).toBe('replace_string_in_file')
      expect(tool_input).toEqual({
        filePath: '/project/a',
        oldString: 'b',
        newString: 'c',
      })
      const updatedInput = { ...tool_input, newString: 'd' }
      const hookSpecificOutput = { hookEventName: 'PreToolUse', updatedInput }
      return { stdout: JSON.stringify({ hookSpecificOutput }) }
    },
  })
  const asked = await bench.ask('tool.pre_call', '', edit)
  expect(asked.value).toMatchObject({
    args: { path: 'a', oldText: 'b', newText: 'd' },
  })
})

test('a command for this system comes before the one for all', () => {
  const entry = {
    type: 'command',
    command: 'all',
    linux: 'l',
    osx: 'o',
    windows: 'w',
  }
  const source = { file: 'hooks.json', layer: 'project' as const }
  const text = JSON.stringify({ hooks: { Stop: [entry] } })
  const names: Readonly<Record<string, string>> = {
    linux: 'l',
    darwin: 'o',
    win32: 'w',
  }
  expect(vsCode.readFile(text, source).hooks).toMatchObject([
    { handler: { command: names[process.platform] } },
  ])
})
