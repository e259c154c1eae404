import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  makePlace,
  removePlace,
} from '../../../../agent/src/store/fixtures/places.ts'
import type { Project } from '../fixtures/project.ts'
import { endDaemon, runDaemon } from '../fixtures/run-daemon.ts'
import { stageForEach } from '../fixtures/stage.ts'
import type { TestTerminal } from '../fixtures/terminal.ts'

const stage = stageForEach()
let project: Project

beforeEach(() => {
  project = stage.project
})

/** Where only the home matters, this process does it. */
const ask = (...words: string[]) => stage.ask(...words)
const cli = (...words: string[]) => stage.cli(...words)

test.each(['backup.db', 'backup.jsonl'])(
  'everything is copied while a daemon runs, and put back when none does: %s',
  async (name) => {
    const daemon = await runDaemon(project)
    const file = join(project.root, '..', name)
    try {
      expect((await ask('run', 'hello')).stdout).toBe('Hello.\n')
      const made = await ask('backup', file, '--json')
      expect(made).toMatchObject({ code: 0 })
      expect(JSON.parse(made.stdout)).toMatchObject({ file })
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect((await ask('backup', file)).code).toBe(1)
      const taken = await ask('restore', file, '--replace')
      expect(taken.code).toBe(6)
      expect(taken.stderr).toContain('hookline down')
    } finally {
      await endDaemon(daemon)
    }
    const database = join(project.home, 'hookline.db')
    const before = readFileSync(database)
    const refused = await ask('restore', file)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--replace')
    const broken = join(project.root, '..', `broken-${name}`)
    writeFileSync(broken, readFileSync(file).subarray(0, -200))
    expect((await ask('restore', broken, '--replace')).code).toBe(1)
    expect(readFileSync(database).equals(before)).toBe(true)
    const none = await ask('restore', join(project.root, 'none'))
    expect(none.code).toBe(5)

    const done = await ask('restore', file, '--replace', '--json')
    expect(done).toMatchObject({ code: 0 })
    const { moved } = JSON.parse(done.stdout)
    expect(readFileSync(moved[0]).equals(before)).toBe(true)
    const again = await ask('restore', file, '--replace', '--json')
    expect(JSON.parse(again.stdout).moved[0]).not.toBe(moved[0])
    expect(existsSync(moved[0])).toBe(true)
    const second = await runDaemon(project)
    try {
      const list = await ask('sessions', '--json')
      expect(JSON.parse(list.stdout).items).toHaveLength(1)
      expect((await ask('audit', 'verify')).code).toBe(0)
    } finally {
      await endDaemon(second)
    }
  },
)

test('another home is filled from a copy', async () => {
  const daemon = await runDaemon(project)
  const file = join(project.root, '..', 'backup.db')
  try {
    await ask('run', 'hello')
    expect((await ask('backup', file)).code).toBe(0)
  } finally {
    await endDaemon(daemon)
  }
  const home = join(project.root, '..', 'second')
  mkdirSync(home, { mode: 0o700 })
  const done = await ask('restore', file, '--home', home)
  expect(done).toMatchObject({ code: 0 })
  expect(existsSync(join(home, 'hookline.db'))).toBe(true)
})

/** A Postgres, as the user's configuration names it. */
async function configurePostgres(name: string): Promise<string> {
  const place = await makePlace('postgres')
  if (place.dialect !== 'postgres') throw new Error('It is no Postgres.')
  const { url, schema } = place
  onTestFinished(() => removePlace(place))
  project.env[name] = url
  project.configure(`store: { urlEnv: ${name}, schema: ${schema} }`)
  return schema
}

/** As a person stops it: others need not wait for its lease to run out. */
async function stopDaemon(daemon: TestTerminal): Promise<void> {
  daemon.kill('SIGTERM')
  await daemon.ended
}

test('what a Postgres holds is copied while a daemon runs, and put back when none does, here or into SQLite and back', async () => {
  const schema = await configurePostgres('FIRST_DATABASE')
  const file = join(project.root, '..', 'backup.jsonl')
  const daemon = await runDaemon(project)
  try {
    expect((await cli('run', 'hello')).stdout).toBe('Hello.\n')
    const wrong = await cli('backup', join(project.root, '..', 'backup.db'))
    expect(wrong.stdout).toContain('holds all of it')
    const made = await cli('backup', file, '--json')
    expect(JSON.parse(made.stdout)).toMatchObject({ file, format: 'lines' })
    // A home of its own does not make the store free.
    const home = join(project.root, '..', 'other-home')
    mkdirSync(home, { mode: 0o700 })
    const taken = await cli('restore', file, '--replace', '--home', home)
    expect(taken.code).toBe(6)
    expect(taken.stderr).toContain(`"${schema}" open`)
  } finally {
    await stopDaemon(daemon)
  }
  const refused = await cli('restore', file)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('--replace')
  const done = await cli('restore', file, '--replace', '--json')
  expect(done).toMatchObject({ code: 0 })
  const { moved } = JSON.parse(done.stdout)
  expect(moved).toEqual([expect.stringContaining(`${schema}_before_`)])
  onTestFinished(() =>
    removePlace({
      dialect: 'postgres',
      url: project.env['FIRST_DATABASE'] ?? '',
      schema: moved[0],
    }),
  )
  await expectOneSession()

  project.configure('store: {}')
  expect(await cli('restore', file)).toMatchObject({ code: 0 })
  await expectOneSession()
  const back = join(project.root, '..', 'from-sqlite.jsonl')
  expect((await cli('backup', back)).code).toBe(0)
  await configurePostgres('SECOND_DATABASE')
  const copy = await cli('restore', join(project.home, 'hookline.db'))
  expect(copy.code).toBe(1)
  expect(copy.stderr).toContain('.jsonl')
  expect(await cli('restore', back)).toMatchObject({ code: 0 })
  await expectOneSession()
})

async function expectOneSession(): Promise<void> {
  const daemon = await runDaemon(project)
  try {
    const list = await cli('sessions', '--json')
    expect(JSON.parse(list.stdout).items).toHaveLength(1)
    expect((await cli('audit', 'verify')).code).toBe(0)
  } finally {
    await stopDaemon(daemon)
  }
}

test('a store is never guessed: a configuration that cannot be read leads to the one that was used last, or to none', async () => {
  const file = join(project.root, '..', 'mine.db')
  project.configure(`store: { file: ${file} }`)
  const daemon = await runDaemon(project)
  await cli('run', 'hello')
  await stopDaemon(daemon)
  project.configure(`store: { file: ${file} }\nhooks: [`)
  const to = join(project.root, '..', 'copy.db')
  const made = await cli('backup', to)
  expect(made).toMatchObject({ code: 0 })
  expect(made.stderr).toContain(`used last: SQLite at "${file}"`)
  const home = join(project.root, '..', 'new-home')
  mkdirSync(home, { mode: 0o700 })
  const other = await cli('restore', to, '--home', home)
  expect(other.code).toBe(1)
  expect(other.stderr).toContain('config check')
  expect(existsSync(join(home, 'hookline.db'))).toBe(false)
})
