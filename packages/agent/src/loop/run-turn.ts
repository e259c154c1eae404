import type { MaybePromise } from 'hookline'
import {
  mergePolicies,
  policy,
  turnPrePolicy,
  type UserContent,
} from 'hookline/lifecycle'
import { isReply } from '../data/shapes.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { CoreEnd } from '../ports/core.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { ask } from './ask.ts'
import { chain } from './chain.ts'
import { closeTurn } from './close-turn.ts'
import { recordStart } from './commit.ts'
import { TurnForCore } from './core-turn.ts'
import { endOfThrown, endWith, failedEnd } from './ends.ts'
import { judgeOutput, recover } from './judge-output.ts'
import { stepLoop } from './step-loop.ts'
import { checkOutput } from './structured-output.ts'
import { takeInput } from './take-input.ts'
import { abandon, endLostCalls, takeUp } from './take-up.ts'
import type { Turn } from './turn.ts'
import { wordsOf } from './user-message.ts'
import { withinGrace } from './within-grace.ts'

/** Answers one input, from the first hook that sees it to the last. */
export async function runTurn(
  turn: Turn,
  given: UserContent,
): Promise<TurnResult> {
  let end: CoreEnd
  try {
    end = await reachEnd(turn, given)
    if (turn.output !== undefined) end = await checkOutput(turn, end)
  } catch (thrown) {
    end = endOfThrown(turn, thrown)
  }
  if (end.status === 'failed' || end.status === 'succeeded') {
    try {
      const recovered = recover(turn, end)
      end = recovered instanceof Promise ? await recovered : recovered
      const judged = judgeOutput(turn, end)
      end = judged instanceof Promise ? await judged : judged
    } catch (thrown) {
      end = endOfThrown(turn, thrown)
    }
  }
  try {
    return await closeTurn(turn, end)
  } catch (thrown) {
    // Whatever is wrong with its end, a turn has one.
    return await closeTurn(turn, failedEnd(thrown))
  }
}

async function reachEnd(turn: Turn, given: UserContent): Promise<CoreEnd> {
  const { open } = turn
  if (open !== undefined) {
    takeUp(turn, open)
    await endLostCalls(turn, open)
    if (turn.isAbandoned) return await abandon(turn, open)
  } else {
    const entering = enter(turn, given)
    const refused = entering instanceof Promise ? await entering : entering
    if (refused !== undefined) return refused
  }
  if (open?.step === undefined) {
    const asking = askPolicies(turn)
    if (asking instanceof Promise) await asking
  }
  return await runCore(turn)
}

/** Lets the input in, if the gates do. */
async function enter(
  turn: Turn,
  given: UserContent,
): Promise<CoreEnd | undefined> {
  const { conversation, events, progress } = turn
  const taking = takeInput(turn, given)
  const taken = taking instanceof Promise ? await taking : taking
  if (taken.type === 'rejected') {
    return endWith('rejected', taken.reason, taken.by)
  }
  const { content, context } = taken
  progress.content = content
  progress.context = [...progress.context, ...context]
  const begun = recordStart(turn)
  if (begun !== undefined) await begun
  if (events.isWatched) {
    await events.emit({ type: 'turn-input', content, isSteering: false })
  }
  conversation.addUser(wordsOf(content))
  return undefined
}

function askPolicies(turn: Turn): MaybePromise<void> {
  const { agent, progress } = turn
  const { content } = progress
  const { model } = agent.config
  const asked = ask(turn, turnPrePolicy, { content, model })
  return chain(asked, ({ contributions }) => {
    if (contributions.all.length === 0) return
    progress.policies = mergePolicies(contributions.of(policy)).policies
  })
}

/** A core may be anybody's: it ends when the turn does, and with an end. */
async function runCore(turn: Turn): Promise<CoreEnd> {
  const { core } = turn.agent
  const view = new TurnForCore(turn)
  try {
    const running = core.run(view)
    // The step loop ends by itself, when the tools that it began have.
    const isOurs = core === stepLoop
    const end = await (isOurs
      ? running
      : withinGrace(turn, running, 'The core'))
    if (end?.type === 'end' && isReply(end.reply)) return end
    throw new AgentError('invalid-config', 'The core gave what is no end.')
  } finally {
    view.end()
  }
}
