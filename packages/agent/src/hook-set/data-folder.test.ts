import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeDataFolder } from './data-folder.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-data-'))
  file = join(folder, 'file')
  writeFileSync(file, '')
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test('data are where temporary files are', async () => {
  vi.stubEnv('TMPDIR', folder)
  expect(dirname(await makeDataFolder())).toBe(folder)
})

test.each([
  ['not there', 'nowhere'],
  ['no folder', 'file'],
])(
  'F209 a temporary folder that is %s: data are with our own state, for us alone',
  async (_, name) => {
    vi.stubEnv('TMPDIR', join(folder, name))
    const made = await makeDataFolder({ XDG_STATE_HOME: folder })
    expect(dirname(made)).toBe(join(folder, 'hookline'))
    expect(statSync(made).mode & 0o777).toBe(0o700)
  },
)

test('F209 nowhere to write is said, with what to do', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'nowhere'))
  const made = makeDataFolder({ XDG_STATE_HOME: file })
  await expect(made).rejects.toMatchObject({
    code: 'invalid-config',
    message: expect.stringContaining('set TMPDIR or XDG_STATE_HOME'),
  })
})
