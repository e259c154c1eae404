import { hrefOf } from '../src/around/routes/addresses.ts'
import type { TestDaemon } from '../src/fixtures/test-daemon.ts'

const steps = 18
const callsInStep = 100

/** Takes a turn of which some five thousand rows are drawn; where it is shown. */
export async function playLongTurn(daemon: TestDaemon): Promise<string> {
  const { client } = daemon
  daemon.script(({ messages }) => {
    const done = messages.filter(({ role }) => role === 'tool').length
    if (done >= steps) return { text: 'Done.' }
    const calls = Array.from({ length: callsInStep }, (_, at) => ({
      id: `call-${done}-${at}`,
      tool: 'glob',
      args: { pattern: `none-${at}` },
    }))
    return { calls }
  })
  const { id: sessionId } = await client.createSession({ agent: 'helper' })
  await client.send({ sessionId, input: 'Look everywhere.', wait: true })
  const { items } = await client.listTurns({ sessionId })
  return hrefOf('turn', { sessionId, turnId: String(items[0]?.id) })
}
