import {
  mergePolicies,
  policy,
  turnPrePolicy,
  type UserContent,
} from 'hookline/lifecycle'
import type { CoreEnd } from '../ports/core.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { ask } from './ask.ts'
import { closeTurn } from './close-turn.ts'
import { createCoreTurn } from './core-turn.ts'
import { endOfThrown, endWith } from './ends.ts'
import { judgeOutput, recover } from './judge-output.ts'
import { takeInput } from './take-input.ts'
import type { Turn } from './turn.ts'

/** Answers one input, from the first hook that sees it to the last. */
export async function runTurn(
  turn: Turn,
  given: UserContent,
): Promise<TurnResult> {
  const reached = await guarded(turn, () => reachEnd(turn, given))
  const recovered = await guarded(turn, () => recover(turn, reached))
  const judged = await guarded(turn, () => judgeOutput(turn, recovered))
  return closeTurn(turn, judged)
}

async function reachEnd(turn: Turn, given: UserContent): Promise<CoreEnd> {
  const { agent, conversation, events, progress } = turn
  const taken = await takeInput(turn, given)
  if (taken.type === 'rejected') {
    return endWith('rejected', taken.reason, taken.by)
  }
  const { content, context } = taken
  progress.content = content
  progress.context = [...progress.context, ...context]
  if (events.isWatched) {
    await events.emit({ type: 'turn-input', content, isSteering: false })
  }
  const { model } = agent.config
  const rules = await ask(turn, turnPrePolicy, { content, model })
  if (rules.contributions.all.length > 0) {
    const given = rules.contributions.of(policy)
    progress.policies = mergePolicies(given).policies
  }
  conversation.addUser(content)
  return agent.core.run(createCoreTurn(turn))
}

/** What breaks a turn off is how it ends. */
async function guarded(
  turn: Turn,
  work: () => Promise<CoreEnd>,
): Promise<CoreEnd> {
  try {
    return await work()
  } catch (thrown) {
    return endOfThrown(turn, thrown)
  }
}
