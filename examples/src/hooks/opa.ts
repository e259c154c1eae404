import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createAgent, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import loadWabt from 'wabt'

const readPaths: unknown[] = []
const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  input: { type: 'object', properties: { path: { type: 'string' } } },
  safety: 'read_only',
  execute({ path }) {
    readPaths.push(path)
    return 'Buy milk.'
  },
})

const modelOf = () =>
  scriptedModel([
    {
      calls: [
        { tool: 'read', args: { path: 'notes.txt' } },
        { tool: 'read', args: { path: '.env' } },
      ],
    },
    { text: 'Done.' },
  ])

// In place of: opa build -t wasm -e tools/decision tools.rego
const folder = await mkdtemp(join(tmpdir(), 'hookline-opa-'))
const policyFile = join(folder, 'policy.wasm')
const written = new URL('../../opa/tools.wat', import.meta.url)
const wabt = await loadWabt()
const module = wabt.parseWat('tools.wat', await readFile(written, 'utf8'))
await writeFile(policyFile, module.toBinary({}).buffer)

const model = modelOf()

// #region opa-policy
import { opa } from '@hookline/agent/hooks'

const policy = opa({ policy: policyFile, entrypoint: 'tools/decision' })
const agent = createAgent({ model, tools: [read], plugins: [policy] })
// #endregion

await agent.run('Read them.').result
assert.deepEqual(readPaths, ['notes.txt'])
console.log('read:', readPaths.join(', '))
await agent.close()
await rm(folder, { recursive: true })

// In place of: opa run --server --addr 127.0.0.1:8181 tools.rego
const server = createServer((request, response) => {
  assert.equal(request.url, '/v1/data/tools/decision')
  void json(request).then((body) => {
    // The hook has sent it.
    const { input } = body as { input: { args: { path: string } } }
    const result = input.args.path.endsWith('.env')
      ? { allow: false, reason: 'it is a secret' }
      : { allow: true }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ result }))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const address = `http://127.0.0.1:${port}`

// #region opa-server
const asked = opa({ server: address, entrypoint: 'tools/decision' })
// #endregion

const other = createAgent({ model: modelOf(), tools: [read], plugins: [asked] })
const { status } = await other.run('Read them.').result
assert.equal(status, 'succeeded')
assert.deepEqual(readPaths, ['notes.txt', 'notes.txt'])
console.log('asked a server, and read:', readPaths.slice(1).join(', '))
await other.close()
server.closeAllConnections()
server.close()
