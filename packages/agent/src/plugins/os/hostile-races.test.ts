import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openOs } from './fixtures/open-os.ts'

/** Another process, which does something without end. */
function startLoop(script: string, cwd: string): ChildProcess {
  const child = spawn('sh', ['-c', `while :; do ${script}; done`], {
    cwd,
    stdio: 'ignore',
    detached: true,
  })
  onTestFinished(async () => {
    // With whatever it has just started, which would go on making things.
    process.kill(-Number(child.pid), 'SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
  })
  return child
}

test.each([
  [
    'the file',
    'echo in > f; ln -sfn ../away/secret f; ln -sfn ../away/new f; rm -f f',
    'f',
  ],
  [
    'the folder',
    'mkdir -p d/e; rm -rf d; ln -sfn ../away d; rm -f d',
    'd/e/new',
  ],
  [
    'a folder on the way',
    'mkdir -p d/e; mv d x; ln -s ../away d; rm -f d; rm -rf x',
    'd/e/new',
  ],
])(
  '%s that is swapped for a link to outside leads nowhere',
  async (_, script, path) => {
    const { work, away, call } = await openOs()
    await writeFile(join(away, 'secret'), 'mine')
    await mkdir(join(away, 'e'))
    startLoop(script, work)
    let written = 0
    // Until one got through, too: otherwise nothing was tried at all.
    for (let round = 0; round < 150 || written === 0; round++) {
      const read = await call('read', { path })
      expect(read.text).not.toContain('mine')
      const told = await call('write', { path, content: 'evil' })
      if (!told.isError) written++
      await call('edit', { path, old: 'evil', new: 'worse' })
    }
    expect(await readFile(join(away, 'secret'), 'utf8')).toBe('mine')
    expect((await readdir(away, { recursive: true })).sort()).toEqual([
      'e',
      'secret',
    ])
    await rm(join(work, 'f'), { force: true })
  },
  60_000,
)
