import { type StopReason, turnStop } from 'hookline/lifecycle'
import type { CoreEnd, ModelReply } from '../ports/core.ts'
import { ask } from './ask.ts'
import { commitStep } from './commit.ts'
import { keepGoing, mayKeepGoing } from './keep-going.ts'
import { spoken } from './spoken.ts'
import { takeSteering } from './steering.ts'
import { wantsBetterOutput } from './structured-output.ts'
import type { Turn } from './turn.ts'

const voluntary: ReadonlySet<StopReason> = new Set([
  'end_turn',
  'stop_sequence',
  'refusal',
  'other',
])

/** The model has nothing to do any more: is that the end of the turn? */
export async function askStop(
  turn: Turn,
  { response }: ModelReply,
): Promise<CoreEnd | undefined> {
  const { progress, steering } = turn
  const { content, stopReason } = response
  const reply = spoken(content)
  const release = async () => {
    await progress.stream?.release(content)
    progress.stream = undefined
    await commitStep(turn)
  }
  const isSteered = steering.length > 0 && (await takeSteering(turn, release))
  if (isSteered) return undefined
  const asked = ask(turn, turnStop, {
    stopReason,
    reply,
    continuesSoFar: progress.continues,
    isVoluntary: voluntary.has(stopReason),
  })
  const stop = asked instanceof Promise ? await asked : asked
  if (stop.type === 'keepGoing' && mayKeepGoing(turn, stop)) {
    await release()
    keepGoing(turn, stop)
    return undefined
  }
  const isWanted = turn.output !== undefined
  if (isWanted && (await wantsBetterOutput(turn, reply))) return undefined
  return { type: 'end', status: 'succeeded', reply, stopReason }
}
