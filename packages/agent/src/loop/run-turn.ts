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
import { closeTurn } from './close-turn.ts'
import { journal } from './commit.ts'
import { TurnForCore } from './core-turn.ts'
import { endOfThrown, endWith, failedEnd } from './ends.ts'
import { judgeOutput, recover } from './judge-output.ts'
import { stepLoop } from './step-loop.ts'
import { checkOutput } from './structured-output.ts'
import { takeInput } from './take-input.ts'
import type { Turn } from './turn.ts'
import { withinGrace } from './within-grace.ts'

const nothingSaid: UserContent = [{ type: 'text', text: '(nothing)' }]

/** Answers one input, from the first hook that sees it to the last. */
export async function runTurn(
  turn: Turn,
  given: UserContent,
): Promise<TurnResult> {
  let end: CoreEnd
  try {
    const begun = recordStart(turn)
    if (begun !== undefined) await begun
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

function recordStart(turn: Turn): MaybePromise<void> {
  const { id: turnId, inputId, progress } = turn
  return journal(turn, {
    type: 'turn-start',
    turnId,
    turn: progress.scope.turn ?? 0,
    ...(inputId !== undefined && { inputId }),
  })
}

async function reachEnd(turn: Turn, given: UserContent): Promise<CoreEnd> {
  const { agent, conversation, events, progress } = turn
  const taking = takeInput(turn, given)
  const taken = taking instanceof Promise ? await taking : taking
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
  const asked = ask(turn, turnPrePolicy, { content, model })
  const rules = asked instanceof Promise ? await asked : asked
  if (rules.contributions.all.length > 0) {
    const contributed = rules.contributions.of(policy)
    progress.policies = mergePolicies(contributed).policies
  }
  conversation.addUser(content.length > 0 ? content : nothingSaid)
  return await runCore(turn)
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
