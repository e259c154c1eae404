import type {
  SessionDetail,
  TurnOutcome,
} from '../../protocol/schemas/sessions.ts'
import type { CommandContext } from '../command-context.ts'
import type { Connection } from '../connect/connect-or-start.ts'
import type { ExitName } from '../exit-codes.ts'
import { plainLine } from '../output/plain-text.ts'
import { type Asker, Asking } from './asking.ts'
import { chooseAsker } from './choose-asker.ts'
import { followTurn, type TurnEnd } from './follow-turn.ts'
import {
  endWell,
  type Interrupts,
  tellEnding,
  watchInterrupts,
} from './interrupts.ts'
import { createPresence } from './presence.ts'
import { sentence } from './reason-words.ts'
import { createHeldSink, createOutputSink } from './sink.ts'
import { startReading } from './start-reading.ts'
import { turnExit, turnWords } from './turn-exit.ts'
import { createTurnView } from './turn-view.ts'

export interface PlayTurnOptions {
  readonly connection: Connection
  readonly open: () => Promise<SessionDetail>
  /** Begins the turn; does not wait for its end. */
  readonly start: (session: SessionDetail) => Promise<TurnOutcome>
  /** Of what is said: by it the turn is known among those of others. */
  readonly key?: string
  /** Who answers; default: as the options and the terminal say. */
  readonly asker?: Asker
  /** Of whoever plays more than this turn. */
  readonly interrupts?: Interrupts
}

/** One turn, from its start to its end, on the output of a command. */
export async function playTurn(
  context: CommandContext,
  { connection, open, start, key, asker, ...given }: PlayTurnOptions,
): Promise<ExitName> {
  const { output, options } = context
  const { client, isEmbedded } = connection
  const sink = createHeldSink(createOutputSink(output))
  const session = await openOrClose(context, { connection, open })
  const sessionId = session.id
  const presence = createPresence(client, sessionId)
  const stop = new AbortController()
  const interrupts = given.interrupts ?? watchInterrupts(output)
  const giveBack = interrupts.lend(() => {
    if (stop.signal.aborted) {
      tellEnding(output)
      return
    }
    output.note('Cancelling; once more to leave at once.')
    client.cancel({ sessionId, reason: 'interrupted' }).catch(() => {
      // It has ended meanwhile, or the stream says what is wrong.
    })
  })
  const asking = new Asking({
    client,
    sessionId,
    asker:
      asker ??
      (await chooseAsker(context, {
        client,
        isEmbedded,
        hold: () => sink.hold(),
        release: () => sink.release(),
        onInterrupt: () => interrupts.interrupt(),
      })),
    onError: (message) => output.note(plainLine(message)),
  })
  const view = createTurnView({
    sink,
    style: (style, text) => output.noteStyle(style, text),
    columns: () => output.noteColumns,
    isVerbose: options.flag('verbose'),
  })
  try {
    const { cursor } = session
    // Who is asked something has to be there before it is asked.
    const items = startReading(
      client.watchSession(
        { sessionId, ...(cursor !== undefined && { after: cursor }) },
        { signal: stop.signal },
      ),
    )
    // The stream may open late, and nobody waits for that.
    await presence.arrive()
    // While it was opened, or just now: what is not begun needs no end.
    if (interrupts.isInterrupted) return 'interrupted'
    const started = await start(session)
    // It was under way, and may have asked before anybody was here.
    const { turnId } = session
    if (turnId !== undefined && turnId === started.turnId) asking.look()
    const end =
      endOf(started) ??
      (await followTurn({
        client,
        sessionId,
        items,
        turnId: started.turnId,
        key,
        onItem(item) {
          if (output.isJson) output.jsonLine(item)
          else if (item.type === 'event') view(item.event)
          asking.see(item)
        },
      }))
    sink.release()
    sink.endText()
    return tellEnd(context, { sessionId, end })
  } finally {
    stop.abort()
    await asking.close()
    await presence.leave()
    await connection.close()
    giveBack()
    if (given.interrupts === undefined) interrupts.close()
  }
}

async function openOrClose(
  { output }: CommandContext,
  { connection, open }: Pick<PlayTurnOptions, 'connection' | 'open'>,
): Promise<SessionDetail> {
  try {
    return await open()
  } catch (error) {
    await endWell(output, () => connection.close())
    throw error
  }
}

/** Of a turn that was over before anybody could follow it. */
function endOf({ status, turnId = '', reason }: TurnOutcome) {
  if (status === 'started' || status === 'handed-over') return undefined
  return { turnId, status, ...(reason !== undefined && { reason }) }
}

function tellEnd(
  { output }: CommandContext,
  {
    sessionId,
    end,
  }: { readonly sessionId: string; readonly end: TurnEnd | undefined },
): ExitName {
  if (end === undefined) {
    output.note(`The stream ended before the turn; session ${sessionId}.`)
    return 'unreachable'
  }
  const { status, reason } = end
  if (output.isJson) output.jsonLine({ type: 'end', sessionId, ...end })
  else if (status !== 'succeeded') {
    const words = turnWords[status]
    const told = reason === undefined ? `${words}.` : sentence(words, reason)
    output.note(output.noteStyle('red', plainLine(told)))
  }
  if (!output.isJson && output.isNoteTerminal) {
    output.note(output.noteStyle('dim', `session ${sessionId}`))
  }
  return turnExit[status]
}
