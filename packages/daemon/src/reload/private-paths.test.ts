import {
  chmod,
  mkdir,
  readFile,
  realpath,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makePlace, type Place, scripted } from './fixtures/place.ts'

vi.setConfig({ testTimeout: 60_000 })

const unsafe = { code: 'unsafe-home' }
const evil = 'hooks: []\n'

test.each(['user', 'managed'] as const)(
  'no daemon starts whose %s configuration agents could change',
  async (layer) => {
    const place = await makePlace()
    const within = join(place.root, 'config')
    const inside = place.open({ [layer]: within })
    await expect(inside).rejects.toMatchObject(unsafe)
    await mkdir(within)
    const link = join(dirname(place.root), 'link')
    await symlink(within, link)
    const linked = place.open({ [layer]: link })
    await expect(linked).rejects.toMatchObject(unsafe)
  },
)

test('no daemon starts whose store or keys are where agents work', async () => {
  const place = await makePlace()
  const key = join(place.root, 'key')
  await writeFile(key, 'a key of many letters', { mode: 0o600 })
  for (const store of [
    { file: join(place.root, 'state', 'store.db') },
    { key: { file: key } },
    { payloadKeys: [{ id: 'one', file: key }] },
  ]) {
    const opened = place.open({ values: [{ store }] })
    await expect(opened).rejects.toMatchObject(unsafe)
  }
})

test('the unit for systemd names a folder in which a daemon starts', async () => {
  const unit = new URL('../../../../deploy/hookline.service', import.meta.url)
  const [, given = ''] =
    /^ExecStart=.* --root (\S+)$/m.exec(await readFile(unit, 'utf8')) ?? []
  const place = await makePlace()
  const of = (folder: string) => folder.replace('%h', place.root)
  const root = of(given)
  const home = of('%h/.local/state/hookline')
  const user = of('%h/.config/hookline')
  for (const folder of [root, home, user]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  }
  const workspace = await place.open({ root, home, user })
  expect(workspace.root).toBe(root)
})

/** What tools tell an agent that may use everything around its project. */
async function callsAround(
  place: Place,
  calls: readonly { tool: string; args: Record<string, string> }[],
) {
  const around = await realpath(dirname(place.root))
  const key = join(around, 'keys', 'key')
  await place.write('keys/key', 'a key of many letters')
  await chmod(key, 0o600)
  await place.write('keys/plain', 'plain')
  const steps = calls.map((call) => ({ calls: [call] }))
  const { runtime } = await place.open({
    models: scripted([...steps, { text: 'Done.' }]),
    values: [
      {
        policy: { mode: 'open', sandbox: 'workspace', roots: ['.', around] },
        store: { file: join(around, 'keys', 'store.db'), key: { file: key } },
      },
    ],
  })
  const session = await runtime.openSession({ agent: 'main', cwd: place.root })
  await session.send('Go.').result
  return session.messages.flatMap((one) =>
    one.role === 'tool' ? one.content.map((part) => JSON.stringify(part)) : [],
  )
}

test('T08 no tool changes configuration, wherever it may work', async () => {
  const place = await makePlace()
  const file = join(place.user, 'hooks.yaml')
  const told = await callsAround(place, [
    { tool: 'write', args: { path: file, content: evil } },
    { tool: 'shell', args: { command: `echo 'hooks: []' > ${file}` } },
    { tool: 'shell', args: { command: `mv ${place.user} ${place.user}-2` } },
    {
      tool: 'write',
      args: { path: join(place.managed, 'hooks.yaml'), content: evil },
    },
  ])
  expect(told).toHaveLength(4)
  for (const one of told) expect(one).toContain('"isError":true')
})

test('T08 no tool sees keys or the store, wherever it may work', async () => {
  const place = await makePlace()
  const folder = join(dirname(place.root), 'keys')
  const path = join(folder, 'key')
  const [read, found, printed, listed] = await callsAround(place, [
    { tool: 'read', args: { path } },
    { tool: 'grep', args: { pattern: 'many|plain', path: folder } },
    { tool: 'shell', args: { command: `cat ${folder}/plain ${folder}/key` } },
    { tool: 'shell', args: { command: `head -c 6 ${folder}/store.db*` } },
  ])
  expect(read).toContain('"isError":true')
  expect(found).toContain('plain')
  expect(printed).toContain('plain')
  expect(listed).not.toContain('SQLite')
  for (const one of [read, found, printed]) expect(one).not.toContain('many')
})
