import {
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openOs } from './fixtures/open-os.ts'

/** A folder with a token, within one that agents may use. */
async function openWithSecret(sandbox: 'workspace' | 'read_only') {
  // Not where commands have a folder of their own instead.
  const base = await realpath(await mkdtemp('/var/tmp/hookline-hidden-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const home = join(base, 'home')
  await mkdir(home)
  await writeFile(join(home, 'token'), 'hkl_secret')
  await writeFile(join(base, 'plain'), 'hkl_plain')
  const roots = ['.', base]
  const os = await openOs({ hiddenPaths: [home] }, { sandbox, roots })
  return { ...os, base, home, token: join(home, 'token') }
}

describe('a folder that is hidden', () => {
  test('T26 is read, written and listed by no tool, while what is beside it is', async () => {
    const { call, base, home, token } = await openWithSecret('workspace')
    expect((await call('read', { path: join(base, 'plain') })).text).toContain(
      'hkl_plain',
    )
    const found = await call('grep', { pattern: 'hkl_', path: base })
    expect(found.text).toContain('plain')
    expect(found.text).not.toContain('secret')
    const listed = await call('glob', { pattern: '**', path: base })
    expect(listed.text).not.toContain('token')
    for (const [tool, args] of [
      ['read', { path: token }],
      ['write', { path: join(home, 'new'), content: 'x' }],
      ['glob', { pattern: '*', path: home }],
      ['shell', { command: 'ls', cwd: home }],
    ] as const) {
      const { isError, text } = await call(tool, args)
      expect(isError, tool).toBe(true)
      expect(text, tool).not.toContain('hkl_')
    }
  })

  test.each(['workspace', 'read_only'] as const)(
    'is empty to a command whose sandbox is %s',
    async (sandbox) => {
      const { call, base, token } = await openWithSecret(sandbox)
      const command = `cat ${join(base, 'plain')}; ls -A ${join(base, 'home')}; cat ${token}`
      const { text } = await call('shell', { command })
      expect(text).toContain('hkl_plain')
      expect(text).not.toContain('hkl_secret')
      expect(text).toContain('No such file')
    },
  )
})

describe('a file that is hidden', () => {
  test.each(['workspace', 'read_only'] as const)(
    'is seen by no tool, nor by a command whose sandbox is %s',
    async (sandbox) => {
      const cache = join(process.cwd(), '.cache')
      await mkdir(cache, { recursive: true })
      const made = await mkdtemp(join(cache, 'hookline-hidden-'))
      onTestFinished(() => rm(made, { recursive: true, force: true }))
      const base = await realpath(made)
      const key = join(base, 'key')
      await writeFile(key, 'hkl_secret')
      await writeFile(join(base, 'plain'), 'hkl_plain')
      await symlink(key, join(base, 'link'))
      const { call } = await openOs(
        { hiddenPaths: [key] },
        { sandbox, roots: ['.', base] },
      )
      const calls = [
        ['read', { path: key }],
        ['read', { path: join(base, 'link') }],
        ['write', { path: key, content: 'x' }],
        ['grep', { pattern: 'hkl_', path: base }],
        ['shell', { command: `cat ${base}/plain ${base}/link ${key}` }],
        ['shell', { command: `echo x > ${key}` }],
      ] as const
      for (const [tool, args] of calls) {
        const { text, isError } = await call(tool, args)
        expect(text, tool).not.toContain('hkl_secret')
        if (tool !== 'grep') expect(isError, tool).toBe(true)
        else expect(text).toContain('hkl_plain')
      }
      const { text } = await call('glob', { pattern: '*', path: base })
      expect(text).toBe('plain')
      expect(await readFile(key, 'utf8')).toBe('hkl_secret')
    },
  )
})
