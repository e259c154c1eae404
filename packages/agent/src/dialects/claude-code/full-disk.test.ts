import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from 'hookline/lifecycle'
import { afterAll, expect, test } from 'vitest'
import { openStage } from '../../runtime/fixtures/stage.ts'
import { dialectBench } from './fixtures/dialect-bench.ts'

const bench = dialectBench()
afterAll(() => bench.end())

const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }]

/** A session whose hooks have nowhere to write. */
async function openOnFullDisk(hooks: JsonObject) {
  const file = join(bench.folder, 'no-folder')
  writeFileSync(file, '')
  const made = await bench.hooks({ hooks }, { dataDir: file })
  return await openStage([{ text: 'Done.' }], { hooks: made })
}

test('F209 a long text that cannot be kept is cut, and the cut is marked', async () => {
  const long = `cat > /dev/null; head -c 20000 /dev/zero | tr '\\0' x`
  const stage = await openOnFullDisk({ UserPromptSubmit: hook(long) })
  const ended = await stage.say('Hello.')
  expect(ended.text).toBe('Done.')
  const asked = JSON.stringify(stage.model.requests[0])
  expect(asked).toContain('xxx')
  expect(asked).toContain('Cut here: there were 20000 characters')
  expect(asked).not.toContain('x'.repeat(3_000))
  await stage.close()
})

test('F209 without a file for variables a session begins all the same', async () => {
  const told = `cat > /dev/null; echo "file: [\${CLAUDE_ENV_FILE-none}]"`
  const stage = await openOnFullDisk({ SessionStart: hook(told) })
  const ended = await stage.say('Hello.')
  expect(ended.text).toBe('Done.')
  expect(JSON.stringify(stage.model.requests[0])).toContain('file: [none]')
  await stage.close()
})
