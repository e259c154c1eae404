import type { MaybePromise } from 'hookline'
import {
  type ModelResponse,
  type StopReason,
  turnStop,
} from 'hookline/lifecycle'
import type { CoreEnd, ModelReply } from '../ports/core.ts'
import { ask } from './ask.ts'
import { chain } from './chain.ts'
import { keepGoing, mayKeepGoing } from './keep-going.ts'
import { leaveStep } from './leave-calls.ts'
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
export function askStop(
  turn: Turn,
  { response }: ModelReply,
): MaybePromise<CoreEnd | undefined> {
  if (turn.steering.length === 0) return askHooks(turn, response)
  const steered = takeSteering(turn, () => release(turn, response))
  return chain(steered, (taken) => {
    if (taken === 'none') return askHooks(turn, response)
    return taken === 'some' ? undefined : taken
  })
}

function askHooks(
  turn: Turn,
  response: ModelResponse,
): MaybePromise<CoreEnd | undefined> {
  const { stopReason } = response
  const reply = spoken(response.content)
  const asked = ask(turn, turnStop, {
    stopReason,
    reply,
    continuesSoFar: turn.progress.continues,
    isVoluntary: voluntary.has(stopReason),
  })
  const end: CoreEnd = { type: 'end', status: 'succeeded', reply, stopReason }
  return chain(asked, (stop) => {
    if (stop.type === 'keepGoing' && mayKeepGoing(turn, stop)) {
      return release(turn, response).then((left) => {
        if (left === undefined) keepGoing(turn, stop)
        return left
      })
    }
    if (turn.output === undefined) return end
    return wantsBetterOutput(turn, reply).then((wanted) =>
      wanted === 'none' ? end : wanted,
    )
  })
}

/** The turn goes on: what has been said goes out, and stays. */
async function release(
  turn: Turn,
  { content }: ModelResponse,
): Promise<CoreEnd | undefined> {
  await turn.progress.stream?.release(content)
  return leaveStep(turn)
}
