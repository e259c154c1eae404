import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { diskFolder } from '../fixtures/disk-folder.ts'
import { insertMeta, readMeta, unit } from '../fixtures/statements.ts'
import { openSabotaged, openSqlite } from './open-sqlite.ts'

const unsafe = { name: 'StoreError', code: 'unsafe-file' }
const modeOf = (path: string) => statSync(path).mode & 0o777

test.each(['000', '022', '777'])(
  'F153 all files are made for their user only, with umask %s',
  async (mask) => {
    const folder = diskFolder()
    const before = process.umask(Number.parseInt(mask, 8))
    try {
      const database = await openSqlite({ file: join(folder, 'store.db') })
      await database.write(unit('one', insertMeta('a')))
      await database.read(readMeta('a'))
      const names = readdirSync(folder).toSorted()
      const modes = names.map((name) => [name, modeOf(join(folder, name))])
      await database.close()
      expect(modes).toEqual([
        ['store.db', 0o600],
        ['store.db-ballast', 0o600],
        ['store.db-shm', 0o600],
        ['store.db-wal', 0o600],
      ])
    } finally {
      process.umask(before)
    }
  },
)

test.each(['644', '660', '604'])(
  'F153 a file that others can open is refused, mode %s',
  async (mode) => {
    const file = join(diskFolder(), 'store.db')
    await (await openSqlite({ file })).close()
    chmodSync(file, mode)
    await expect(openSqlite({ file })).rejects.toMatchObject({
      ...unsafe,
      message: expect.stringContaining(`chmod 600 ${file}`),
    })
    expect(modeOf(file).toString(8)).toBe(mode)
    chmodSync(file, 0o600)
    await (await openSqlite({ file })).close()
  },
)

test('F153 a file of another user is refused', async () => {
  const file = foreignFile()
  await expect(openSqlite({ file })).rejects.toMatchObject({
    ...unsafe,
    message: expect.stringContaining('another user'),
  })
})

test('F153 a link, a folder, and what lies beside the file are looked at too', async () => {
  const folder = diskFolder()
  const file = join(folder, 'store.db')
  await (await openSqlite({ file })).close()
  const link = join(folder, 'link.db')
  symlinkSync(file, link)
  await expect(openSqlite({ file: link })).rejects.toMatchObject(unsafe)
  const dangling = join(folder, 'dangling.db')
  symlinkSync(join(folder, 'nowhere.db'), dangling)
  await expect(openSqlite({ file: dangling })).rejects.toMatchObject(unsafe)
  await expect(openSqlite({ file: folder })).rejects.toMatchObject(unsafe)
  writeFileSync(`${file}-wal`, '', { mode: 0o644 })
  chmodSync(`${file}-wal`, 0o644)
  await expect(openSqlite({ file })).rejects.toMatchObject(unsafe)
})

test('F153 a folder in which everybody can put files is refused', async () => {
  const folder = join(diskFolder(), 'open')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  await expect(
    openSqlite({ file: join(folder, 'store.db') }),
  ).rejects.toMatchObject(unsafe)
  chmodSync(folder, 0o1777)
  await (await openSqlite({ file: join(folder, 'store.db') })).close()
})

test('a folder that is not there is named', async () => {
  const file = join(diskFolder(), 'missing', 'store.db')
  await expect(openSqlite({ file })).rejects.toMatchObject({
    code: 'invalid-options',
    message: expect.stringContaining('missing'),
  })
})

test('what is no database is refused as corrupt, and not touched', async () => {
  const file = join(diskFolder(), 'store.db')
  writeFileSync(file, 'not a database at all, but a text '.repeat(100), {
    mode: 0o600,
  })
  await expect(openSqlite({ file })).rejects.toMatchObject({ code: 'corrupt' })
  expect(statSync(file).size).toBe(3_400)
})

test.each([
  ['NFS', 0x6969],
  ['CIFS', 0xff534d42],
  ['SMB2', 0xfe534d42],
  ['9p', 0x01021997],
  ['FUSE', 0x65735546],
])(
  'F152 a file on %s is refused, or warned of if asked',
  async (name, diskKind) => {
    const file = join(diskFolder(), 'store.db')
    await expect(openSabotaged({ file }, { diskKind })).rejects.toMatchObject({
      ...unsafe,
      message: expect.stringContaining(name),
    })
    const warnings = hearWarnings()
    const database = await openSabotaged(
      { file, unsafeDisk: 'warn' },
      { diskKind },
    )
    await database.close()
    expect(warnings()).toEqual([
      [expect.stringContaining(name), { code: 'HOOKLINE_UNSAFE_DISK' }],
    ])
  },
)

test('F152 a file in the layers of a container is warned of', async () => {
  const file = join(diskFolder(), 'store.db')
  const warnings = hearWarnings()
  const database = await openSabotaged({ file }, { diskKind: 0x794c7630 })
  await database.close()
  expect(warnings()).toHaveLength(1)
})

/** What is warned of in this process that is about files: others warn, too. */
function hearWarnings() {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  return () =>
    warn.mock.calls.filter(([, about]) =>
      String(Object(about).code).startsWith('HOOKLINE_'),
    )
}

/** Root can give a file away; others find one of root everywhere. */
function foreignFile(): string {
  if (process.getuid?.() !== 0) return '/etc/passwd'
  const file = join(diskFolder(), 'store.db')
  writeFileSync(file, '', { mode: 0o600 })
  chownSync(file, 65_534, 65_534)
  return file
}
