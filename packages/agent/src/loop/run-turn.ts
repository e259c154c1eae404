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
import type { OpenTurn } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { ask } from './ask.ts'
import { attempt, chain } from './chain.ts'
import { closeTurn } from './close-turn.ts'
import { recordStart } from './commit.ts'
import { TurnForCore } from './core-turn.ts'
import { tellPolicies } from './edits.ts'
import { endOfThrown, endWith, failedEnd } from './ends.ts'
import { judgeOutput, recover } from './judge-output.ts'
import { stepLoop } from './step-loop.ts'
import { checkOutput } from './structured-output.ts'
import { takeInput } from './take-input.ts'
import { abandon, countLost, endLostCalls, takeUp } from './take-up.ts'
import { worse } from './tool-batch.ts'
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
    const reaching = reachEnd(turn, given)
    end = reaching instanceof Promise ? await reaching : reaching
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
    const closing = closeTurn(turn, end)
    return closing instanceof Promise ? await closing : closing
  } catch (thrown) {
    // Whatever is wrong with its end, a turn has one.
    return await closeTurn(turn, failedEnd(thrown))
  }
}

function reachEnd(turn: Turn, given: UserContent): MaybePromise<CoreEnd> {
  if (turn.open !== undefined) return goOn(turn, turn.open)
  return chain(
    enter(turn, given),
    (refused) => refused ?? chain(askPolicies(turn), () => runCore(turn)),
  )
}

/** The same from where an earlier process has left it. */
async function goOn(turn: Turn, open: OpenTurn): Promise<CoreEnd> {
  takeUp(turn, open)
  await endLostCalls(turn, open)
  if (turn.isAbandoned) return await abandon(turn, open)
  await countLost(turn, open)
  if (open.step === undefined) await askPolicies(turn)
  return await runCore(turn)
}

/** Lets the input in, if the gates do. */
function enter(
  turn: Turn,
  given: UserContent,
): MaybePromise<CoreEnd | undefined> {
  const { conversation, progress } = turn
  return chain(takeInput(turn, given), (taken) => {
    if (taken.type === 'rejected') {
      return endWith('rejected', taken.reason, taken.by)
    }
    const { content, context } = taken
    progress.content = content
    if (context.length > 0) {
      progress.context = [...progress.context, ...context]
    }
    const told = chain(recordStart(turn), () => tellInput(turn, content))
    return chain(told, () => {
      conversation.addUser(wordsOf(content))
      return undefined
    })
  })
}

function tellInput({ events }: Turn, content: UserContent): MaybePromise<void> {
  if (!events.isWatched) return
  return events.emit({ type: 'turn-input', content, isSteering: false })
}

function askPolicies(turn: Turn): MaybePromise<void> {
  const { agent, progress } = turn
  const { content } = progress
  const { model } = agent.config
  const asked = ask(turn, turnPrePolicy, { content, model })
  return chain(asked, ({ contributions }) => {
    if (contributions.all.length === 0) return
    const { policies } = mergePolicies(contributions.of(policy))
    progress.policies = policies
    tellPolicies(turn, policies)
  })
}

/** A core may be anybody's: it ends when the turn does, and with an end. */
function runCore(turn: Turn): MaybePromise<CoreEnd> {
  const { core } = turn.agent
  const view = new TurnForCore(turn)
  return attempt(
    () => {
      const running = core.run(view)
      // The step loop ends by itself, when the tools that it began have.
      const isOurs = core === stepLoop
      return isOurs ? running : withinGrace(turn, running, 'The core')
    },
    (end) => {
      const left = view.end()
      if (!(left instanceof Promise)) return endOfCore(end, left)
      return left.then((ended) => endOfCore(end, ended))
    },
    async (thrown) => {
      // Whatever becomes of its calls, this is what it has failed with.
      await Promise.allSettled([view.end()])
      throw thrown
    },
  )
}

/** Its own word counts, unless the turn has failed by what it has left. */
function endOfCore(given: CoreEnd, left: CoreEnd | undefined): CoreEnd {
  const isEnd = given?.type === 'end' && isReply(given.reply)
  if (!isEnd) {
    throw new AgentError('invalid-core', 'The core gave what is no end.')
  }
  const end = worse(left, given)
  // It may end with words in any way; only those of a success are judged.
  const isJudged = end.status === 'succeeded' || end.reply.length === 0
  return isJudged ? end : { ...end, reply: [] }
}
