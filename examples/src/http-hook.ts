// A hook that is a service: a real server on this machine, whose requests and
// replies are signed. When it is gone, what it would have judged is refused.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPolicy, createRuntime, defineTool } from '@hookline/agent'
import { openHooks } from '@hookline/agent/config'
import { scriptedModel } from '@hookline/agent/testing'

const user = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const secret = 'only for this example'

// #region http-server
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { text } from 'node:stream/consumers'
import { signBody, verifySignature } from '@hookline/agent/handlers'

async function judge(request: IncomingMessage, response: ServerResponse) {
  const body = await text(request)
  const run = String(request.headers['hookline-run'])
  const verdict = verifySignature({
    ...{ secret, run, body },
    timestamp: String(request.headers['hookline-timestamp']),
    signature: String(request.headers['hookline-signature']),
  })
  if (verdict !== 'valid') {
    response.writeHead(401).end()
    return
  }

  const { input } = JSON.parse(body) // the envelope, as every handler gets it
  const answer =
    input.args.amount <= 100
      ? { type: 'proceed' }
      : { type: 'reject', reason: 'More than 100 is paid by people.' }
  const reply = JSON.stringify(answer)
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = signBody({ secret, run, timestamp, body: reply })
  response
    .setHeader('content-type', 'application/json')
    .setHeader('hookline-run', run)
    .setHeader('hookline-timestamp', timestamp)
    .setHeader('hookline-signature', signature)
    .end(reply)
}

const server = createServer((request, response) => {
  judge(request, response).catch(() => response.writeHead(500).end())
})
// #endregion
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
// The port of the file may be taken here; otherwise it is used as it is.
const { port } = server.address() as AddressInfo // it listens on a port
const file = new URL('../http-hook/hooks.yaml', import.meta.url)
const hooksFile = (await readFile(file, 'utf8')).replace('48213', String(port))
await writeFile(join(user, 'hooks.yaml'), hooksFile)

const paid: unknown[] = []
const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  input: { type: 'object', properties: { amount: { type: 'number' } } },
  safety: 'mutating',
  execute: ({ amount }) => {
    paid.push(amount)
    return 'paid'
  },
})
const payment = (amount: number) => ({ tool: 'pay', args: { amount } })
const model = scriptedModel([
  { calls: [payment(20), payment(5_000)] },
  { text: 'One is paid.' },
  { calls: [payment(30)] },
  { text: 'Nothing is paid.' },
])
const runtime = createRuntime({
  models: { resolve: () => model },
  policy: createPolicy({ mode: 'open' }),
  tools: [pay],
})
await runtime.register({ name: 'main', model: 'demo', instructions: '' })
const hooks = await openHooks(runtime, {
  root: join(user, 'project'),
  user, // without it: ~/.config/hookline
  trust: { folder: join(user, 'trust') },
  handlers: { environment: { SPENDING_KEY: secret } },
})

const session = await runtime.openSession({ agent: 'main' })
await session.send('Pay both.').result
assert.deepEqual(paid, [20])
assert.match(JSON.stringify(model.requests[1]), /is paid by people/)

server.closeAllConnections()
await new Promise((resolve) => server.close(resolve))
await session.send('Pay 30.').result
assert.deepEqual(paid, [20])
console.log(`paid: ${paid.join(', ')}`)
await runtime.close()
await hooks.close()
await rm(user, { recursive: true })
