import type { CommandContext } from '../command-context.ts'
import { endWell } from '../turn/interrupts.ts'
import { type Connection, connectOrStart } from './connect-or-start.ts'
import { refuseUntrusted } from './refuse-untrusted.ts'

/** For turns: they run with all that the project asks for, or it is said. */
export async function connectForTurn(
  context: CommandContext,
): Promise<Connection> {
  const connection = await connectOrStart(context, 'turn')
  try {
    await refuseUntrusted(context, connection)
    return connection
  } catch (error) {
    await endWell(context.output, () => connection.close())
    throw error
  }
}
