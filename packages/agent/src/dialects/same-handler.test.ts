import { readFileSync } from 'node:fs'
import { compileTable, createEngine } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'
import { afterAll, describe, expect, test } from 'vitest'
import type { DialectName } from './dialect.ts'
import { askPoint, openHookBench } from './fixtures/hook-bench.ts'
import { inputFor } from './fixtures/moments.ts'
import { openRuleBench, type RuleBench } from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

const events = { 'claude-code': 'PreToolUse', gemini: 'BeforeTool' } as const

/** The same command, twice, with what its entries say beside it. */
async function benchOf(
  name: DialectName & keyof typeof events,
  entries: readonly JsonObject[],
  group: JsonObject = {},
): Promise<RuleBench> {
  const command = 'gate'
  const hooks = entries.map((more) => ({ type: 'command', command, ...more }))
  return openRuleBench(
    await loadDialect(name),
    { hooks: { [events[name]]: [{ ...group, hooks }] } },
    { speak: () => ({ exitCode: 2, stderr: 'No.' }) },
  )
}

async function judge(bench: RuleBench): Promise<string> {
  const { type } = await bench.ask('tool.pre_call', 'PreToolUse')
  return type
}

const bench = openHookBench()
afterAll(() => bench.close())

test.each([
  ['claude-code', '$CLAUDE_PLUGIN_ROOT'],
  ['claude-code', `\${CLAUDE_PLUGIN_ROOT}`],
  ['gemini', `\${extensionPath}`],
] as const)(
  'a command of two plugins runs for each, in %s with %s',
  async (name, root) => {
    const dialect = await loadDialect(name)
    const log = bench.write('log', '')
    const command = `echo "${root}" >> "${log}"`
    const hooks = {
      [events[name]]: [{ hooks: [{ type: 'command', command }] }],
    }
    const [first, second] = ['/opt/one', '/opt/two'].map((folder) =>
      dialect.readFile(JSON.stringify({ hooks }), {
        file: `${folder}/hooks.json`,
        layer: 'plugin',
        plugin: { name: folder, root: folder },
      }),
    )
    const both = [first, second, first].flatMap((file) => file?.hooks ?? [])
    const made = await dialect.toHooks(both, bench.partsWith())
    const engine = createEngine(compileTable(made))
    const place = { cwd: bench.folder }
    const input = inputFor('tool.pre_call', '', place)
    await askPoint(engine, 'tool.pre_call', input, place)
    const lines = readFileSync(log, 'utf8').trim().split('\n')
    expect(lines.sort()).toEqual(['/opt/one', '/opt/two'])
  },
)

describe('a copy of a gate', () => {
  test.each([{ async: true }, { asyncRewake: true }])(
    'that nobody waits for does not stand in for it: %j',
    async (copy) => {
      for (const entries of [
        [copy, {}],
        [{}, copy],
      ]) {
        const bench = await benchOf('claude-code', entries)
        expect(await judge(bench)).toBe('reject')
        expect(bench.started).toHaveLength(2)
      }
    },
  )

  test.each([
    ['claude-code', { timeout: 1 }, {}],
    ['claude-code', {}, { onFailure: 'block' }],
    ['claude-code', { if: 'Bash' }, {}],
    ['gemini', { env: { OFF: '1' } }, {}],
  ] as const)(
    'that fails in another way, or is told something else, runs beside it, in %s: %j',
    async (name, copy, gate) => {
      const bench = await benchOf(name, [copy, gate])
      await judge(bench)
      expect(bench.started).toHaveLength(2)
    },
  )

  test.each([
    ['claude-code', { timeout: 600 }],
    ['claude-code', { onFailure: 'continue' }],
    ['claude-code', { async: false, statusMessage: 'Looking.' }],
    ['gemini', { timeout: 60_000 }],
    ['gemini', { timeout: 1 }],
    ['gemini', { description: 'It looks.' }],
  ] as const)(
    'that differs in nothing that counts runs once, with the most time of both, in %s: %j',
    async (name, copy) => {
      const bench = await benchOf(name, [copy, {}])
      expect(await judge(bench)).toBe('reject')
      expect(bench.started).toHaveLength(1)
      const [spec] = bench.specs
      expect(spec?.timeoutMs).toBeGreaterThan(10_000)
    },
  )

  test.each([
    [{ timeout: 100 }, {}],
    [{}, { timeout: 100 }],
  ])(
    'that has less time does not run in its place where Gemini CLI runs them in order: %j, %j',
    async (...entries) => {
      const bench = await benchOf('gemini', entries, { sequential: true })
      expect(await judge(bench)).toBe('reject')
      expect(bench.started).toHaveLength(1)
      const [spec] = bench.specs
      expect(spec?.timeoutMs).toBeGreaterThan(10_000)
    },
  )
})
