import assert from 'node:assert/strict'
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const ran: unknown[] = []
const toolFor = (name: string) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input: { type: 'object' },
    safety: 'read_only',
    execute({ path }) {
      ran.push(path)
      return 'done'
    },
  })

const work = await realpath(await mkdtemp(join(tmpdir(), 'hookline-')))
await symlink('/etc', join(work, 'settings'))
const paths = ['src/a.ts', 'settings/passwd', '../x', '.env']
const model = scriptedModel([
  {
    calls: [
      ...paths.map((path) => ({ tool: 'read', args: { path } })),
      { tool: 'write', args: { path: '.git/hooks/pre-commit' } },
    ],
  },
  { text: 'Read.' },
])

// #region path-guard
import { pathGuard } from '@hookline/agent/hooks'

const guard = pathGuard({
  tools: { read: { read: ['path'] }, write: { write: ['path'] } },
  roots: ['.'],
  readOnly: ['/usr/share/doc'],
})
// #endregion

const runtime = createRuntime({
  models: { resolve: () => model },
  tools: [toolFor('read'), toolFor('write')],
  plugins: [guard],
})
await runtime.register({ name: 'main', model: 'any', instructions: '' })
const session = await runtime.openSession({ agent: 'main', cwd: work })
await session.send('Look around.').result
await runtime.close()
await rm(work, { recursive: true })
assert.deepEqual(ran, ['src/a.ts'])
console.log(`Of ${paths.length + 1} paths, one was used: ${ran[0]}`)
