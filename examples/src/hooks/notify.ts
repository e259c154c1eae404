import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createAgent } from '@hookline/agent'
import { verifySignature } from '@hookline/agent/handlers'
import { scriptedModel } from '@hookline/agent/testing'

const secret = 'only for this example'
process.env['NOTIFY_KEY'] = secret
const told: string[] = []
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const header = (name: string) => String(request.headers[name])
    const verdict = verifySignature({
      ...{ secret, body, run: header('hookline-run') },
      timestamp: header('hookline-timestamp'),
      signature: header('hookline-signature'),
    })
    const { kind, title } = JSON.parse(body)
    told.push(`${verdict} ${kind}: ${title}`)
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : 0

// #region notify
import { notify } from '@hookline/agent/hooks'

const tellUs = notify({
  about: ['approval', 'error'],
  webhook: {
    url: `http://127.0.0.1:${port}/agent`,
    secretEnv: 'NOTIFY_KEY',
    // This server is on the same machine; others need https.
    allowPrivate: true,
  },
})
// #endregion

const agent = createAgent({
  model: scriptedModel([{ error: { code: 'unauthorized' } }]),
  plugins: [tellUs],
})
await agent.run('Hello.').result
await agent.runtime.drain()
assert.deepEqual(told, ['valid error: agent: the turn has failed'])
console.log(told.join('\n'))
await agent.close()
server.close()
