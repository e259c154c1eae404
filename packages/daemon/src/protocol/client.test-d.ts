import { createClient } from './client.ts'
import type { StreamItem } from './schemas/events.ts'

const client = createClient({ socket: '/run/daemon.sock', token: 'x' })

const health: Promise<{ status: 'ok'; version: string }> = client.health()
const stream: AsyncIterable<StreamItem> = client.watchAll()
const lines: AsyncIterable<Record<string, unknown>> = client.exportSession({
  sessionId: 's',
})
const text: Promise<string> = client.metrics()
void [health, stream, lines, text]

void client.listSessions()
void client.listSessions({ limit: 5 }, { signal: AbortSignal.timeout(1) })
// @ts-expect-error a session has to be named
void client.getSession()
// @ts-expect-error there is no such input
void client.listSessions({ limits: 5 })
// @ts-expect-error it is a number
void client.listSessions({ limit: '5' })
// @ts-expect-error there is no such operation
void client.listEverything()
// @ts-expect-error it is reached in one way, not in two
createClient({ socket: '/run/daemon.sock', url: 'http://localhost' })
