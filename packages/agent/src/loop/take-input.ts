import type { MaybePromise, Outcome } from 'hookline'
import {
  type MergedEntry,
  turnInput,
  turnPreTurn,
  type UserContent,
} from 'hookline/lifecycle'
import { ask } from './ask.ts'
import { chain } from './chain.ts'
import { readContext, tellReplaced, tellWithheld } from './edits.ts'
import type { Turn } from './turn.ts'

/** What the user said, as it enters the conversation, or why it does not. */
export type TakenInput =
  | {
      readonly type: 'taken'
      readonly content: UserContent
      readonly context: readonly MergedEntry[]
    }
  | {
      readonly type: 'rejected'
      readonly reason: string
      readonly by: string
    }

/** Has the input rewritten, then judged as it will enter. */
export function takeInput(
  turn: Turn,
  given: UserContent,
): MaybePromise<TakenInput> {
  const asked = ask(turn, turnInput, { content: given })
  return chain(asked, (rewritten) => judgeInput(turn, rewritten))
}

function judgeInput(
  turn: Turn,
  rewritten: Outcome<typeof turnInput>,
): MaybePromise<TakenInput> {
  if (rewritten.type === 'reject') {
    return refuse(turn, turnInput.name, rewritten)
  }
  const { content } = rewritten.value
  tellReplaced(turn, rewritten.writers, {
    point: turnInput.name,
    subject: 'input',
  })
  const follow = (judged: Outcome<typeof turnPreTurn>): TakenInput => {
    if (judged.type === 'reject') return refuse(turn, turnPreTurn.name, judged)
    const context = [
      ...readContext(turn, turnInput.name, rewritten.contributions),
      ...readContext(turn, turnPreTurn.name, judged.contributions),
    ]
    return { type: 'taken', content, context }
  }
  const asked = ask(turn, turnPreTurn, { content })
  return chain(asked, follow)
}

function refuse(
  turn: Turn,
  point: string,
  verdict: { readonly by: string; readonly reason: string },
): TakenInput {
  const { by, reason } = verdict
  tellWithheld(turn, verdict, { point: point, subject: 'input' })
  return { type: 'rejected', reason, by }
}
