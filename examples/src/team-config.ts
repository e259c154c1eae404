// The file of a machine or a user from which a daemon has its agents.
import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDaemon } from '@hookline/daemon'

const folder = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const root = join(folder, 'project')
const user = join(folder, 'config')
await mkdir(root)
await cp(fileURLToPath(new URL('../team', import.meta.url)), user, {
  recursive: true,
})
const daemon = await startDaemon({ root, home: join(folder, 'state'), user })

const { items } = await daemon.client.listAgents({})
const { items: hooks } = await daemon.client.listHooks({})
const uses = new Set(hooks.map(({ name }) => name.split(':')[0]))
for (const { name, model } of items) console.log(`${name}: ${model}`)
assert.deepEqual(
  items.map(({ name }) => name),
  ['main', 'reader'],
)
assert.ok(uses.has('secret-scan'))

await daemon.close()
await rm(folder, { recursive: true })
