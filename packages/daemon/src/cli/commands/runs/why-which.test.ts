import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stageForEach } from '../../fixtures/stage.ts'

const stage = stageForEach()

/** A turn in that folder, with a call that others have the id of. */
async function callIn(folder: string, text: string) {
  mkdirSync(folder, { recursive: true })
  stage.project.script(
    `- calls: [{ tool: write, args: { path: a.txt, content: ${text} } }]\n- text: Done.\n`,
  )
  const end = await stage.cli('run', 'Write.', '--root', folder)
  expect(end).toMatchObject({ code: 0 })
}

test('of calls that have one id, the one of this folder is meant, which is said', async () => {
  const { root } = stage.project
  stage.project.configure('policy: { mode: open }\n')
  await callIn(root, 'mine')
  await callIn(join(root, '..', 'other'), 'theirs')
  const { code, stdout, stderr } = await stage.ask('runs', 'why', 'call-1')
  expect(code).toBe(0)
  expect(stdout).toContain('mine')
  expect(stderr).toBe(
    'Other folders have a call "call-1" as well; this is the one of this folder.\n',
  )
})

test('where several may be meant, what names each is listed, with its folder and time', async () => {
  const [one, two] = ['one', 'two'].map((name) =>
    join(stage.project.root, '..', name),
  )
  stage.project.configure('policy: { mode: open }\n')
  await callIn(one ?? '', 'first')
  await callIn(two ?? '', 'second')
  const several = await stage.ask('runs', 'why', 'call-1')
  expect(several.code).toBe(1)
  const [message = '', ...lines] = several.stderr.trim().split('\n')
  expect(message).toBe(
    'error: 2 calls have the id "call-1"; name one with --session and --turn.',
  )
  expect(lines).toHaveLength(2)
  const [line = ''] = lines.filter((text) => text.includes(`"${one}"`))
  const [, words = ''] =
    /^ {2}(--session \S+ --turn \S+): "write" in .+, \d{4}-\d\d-\d\dT\S+Z$/.exec(
      line,
    ) ?? []
  const named = await stage.ask('runs', 'why', 'call-1', ...words.split(' '))
  expect(named.stdout).toContain('first')
})
