import { readFileSync } from 'node:fs'
import type { EndedRun, HookRecord } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'
import { afterAll, expect, test, vi } from 'vitest'
import { openStage } from '../../runtime/fixtures/stage.ts'
import { tool } from '../../runtime/fixtures/tools.ts'
import type { Script } from '../../testing/index.ts'
import { dialectBench, settingsWith } from './fixtures/dialect-bench.ts'

// What scripts of strangers look for, beside what the product documents.

const bench = dialectBench()
afterAll(() => bench.end())

async function open(settings: JsonObject, script: Script) {
  const hooks = await bench.hooks(settings)
  const tools = [tool('shell', () => 'ok', 'mutating')]
  const records: HookRecord[] = []
  const end = ({ record }: EndedRun) => void records.push(record)
  const engine = { records: { end } }
  const stage = await openStage(script, { hooks, tools, engine })
  return { ...stage, records }
}

const command = (text: string, more: JsonObject = {}) => ({
  type: 'command',
  command: text,
  ...more,
})

test('a script that adds up what the transcript says of tokens gets sums', async () => {
  bench.write(
    'sum.py',
    `import json, sys
told = json.load(sys.stdin)
sums = {}
for line in open(told["transcript_path"]):
    record = json.loads(line)
    if record["type"] != "assistant":
        continue
    for key, count in record["message"]["usage"].items():
        sums[key] = sums.get(key, 0) + count
json.dump(sums, open("sums.json", "w"))
`,
  )
  const settings = settingsWith('Stop', command('python3 sum.py'))
  const cached = { cacheReadTokens: 60, cacheWriteTokens: 30 }
  const stage = await open(settings, [
    {
      calls: [{ tool: 'shell', args: { command: 'ls' } }],
      usage: { inputTokens: 100, outputTokens: 7, ...cached },
    },
    { text: 'Done.', usage: { inputTokens: 20, outputTokens: 3 } },
  ])
  await stage.say('Go.')
  await stage.close()
  expect(JSON.parse(readFileSync(`${bench.folder}/sums.json`, 'utf8'))).toEqual(
    {
      input_tokens: 30,
      output_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
    },
  )
})

test('a reason in colours is told as plain text', async () => {
  const text = `printf '\\033[1;31mNo pip here.\\033[0m Use \\033[32muv\\033[0m.' >&2; exit 2`
  const stage = await open(settingsWith('PreToolUse', command(text)), [
    { calls: [{ tool: 'shell', args: { command: 'pip install x' } }] },
    { text: 'Done.' },
  ])
  await stage.say('Go.')
  await stage.close()
  const told = JSON.stringify(stage.model.requests.at(-1))
  expect(told).toContain('No pip here. Use uv.')
})

test('why a handler in the background has failed is for the record, not for the model', async () => {
  const isLater = { async: true }
  const broken = command(
    'echo "Traceback: no such module" >&2; exit 1',
    isLater,
  )
  const fine = command(`echo '{"systemMessage":"The build is red."}'`, isLater)
  const settings = { hooks: { UserPromptSubmit: [{ hooks: [broken, fine] }] } }
  const stage = await open(settings, () => ({ text: 'Done.' }))
  const told = () => JSON.stringify(stage.model.requests.at(-1))
  await vi.waitFor(
    async () => {
      await stage.say('Go.')
      expect(told()).toContain('The build is red.')
    },
    { timeout: 30_000, interval: 100 },
  )
  // It is on the record of the first prompt after it has ended.
  const failedOpen = {
    code: 'failed-open',
    message: expect.stringContaining('Traceback: no such module'),
  }
  await vi.waitFor(
    async () => {
      await stage.say('Once more.')
      expect(told()).not.toContain('Traceback')
      const found = stage.records.flatMap(({ diagnostics }) => diagnostics)
      expect(found).toContainEqual(expect.objectContaining(failedOpen))
    },
    { timeout: 30_000, interval: 100 },
  )
  await stage.close()
})

test('what a handler in the background says beside other output is told, and it has failed', async () => {
  const isLater = { async: true }
  const noisy = command(
    `echo looking; echo '{"systemMessage":"The build is red."}'`,
    isLater,
  )
  const ended = command('echo "Traceback" >&2; kill -9 $$', isLater)
  const settings = { hooks: { UserPromptSubmit: [{ hooks: [noisy, ended] }] } }
  const stage = await open(settings, () => ({ text: 'Done.' }))
  const told = () => JSON.stringify(stage.model.requests.at(-1))
  await vi.waitFor(
    async () => {
      await stage.say('Go.')
      const found = stage.records.flatMap(({ diagnostics }) => diagnostics)
      const messages = found.map(({ message }) => message).join('\n')
      expect(told()).toContain('The build is red.')
      expect(messages).toContain('It has printed more than one document')
      expect(messages).toContain('It was ended by SIGKILL.')
    },
    { timeout: 30_000, interval: 100 },
  )
  expect(told()).not.toContain('Traceback')
  await stage.close()
})

test('the variables of a settings file are those of its commands', () => {
  const env = {
    LIMIT: '500',
    CLAUDE_PROJECT_DIR: '/elsewhere',
    CLAUDE_PLUGIN_ROOT: '/elsewhere',
    COUNT: 3,
  }
  const entry = command('true', { env: { LIMIT: '9' } })
  const stop = [{ hooks: [command('true'), entry] }]
  const { hooks, settings } = bench.read({ env, hooks: { Stop: stop } })
  expect(hooks.map(({ handler }) => handler)).toMatchObject([
    { env: { LIMIT: '500' } },
    { env: { LIMIT: '9' } },
  ])
  expect(JSON.stringify(hooks)).not.toContain('/elsewhere')
  expect(settings).toEqual({})
  const plugin = { name: 'p', root: '/p' }
  const { hooks: others } = bench.read(
    { env, hooks: { Stop: stop } },
    { layer: 'plugin', plugin },
  )
  expect(JSON.stringify(others)).not.toContain('500')
})

test('a command finds the variables of its settings file, and the real project', async () => {
  const text = 'echo "$LIMIT $CLAUDE_PROJECT_DIR" > told.txt'
  const settings = {
    ...settingsWith('Stop', command(text)),
    env: { LIMIT: '500', CLAUDE_PROJECT_DIR: '/elsewhere' },
  }
  const stage = await open(settings, [{ text: 'Done.' }])
  await stage.say('Go.')
  await stage.close()
  expect(readFileSync(`${bench.folder}/told.txt`, 'utf8')).toBe(
    `500 ${bench.folder}\n`,
  )
})
