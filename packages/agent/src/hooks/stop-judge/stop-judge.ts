import { type Clock, defineCell, defineHook, proceed } from 'hookline'
import {
  type AgentScope,
  llmPreCall,
  type Reply,
  turnStop,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { isOwnCall } from '../shared/turns/own-calls.ts'
import { createRounds } from '../shared/turns/rounds.ts'
import { type StopJudgeOptions, stopJudgeShape } from './options.ts'
import { compilePatterns } from './patterns.ts'
import { endOf, type TranscriptLine, transcriptOf } from './transcript.ts'
import { judgeRequest, readVerdict, type Verdict } from './verdict.ts'

/** What the model of the turn was shown last. */
interface Seen {
  readonly model: string
  readonly transcript: readonly TranscriptLine[]
}

const defaultRubric =
  'Everything that the user asked for in this conversation is done, and the transcript shows it: announced, planned or claimed work without a trace of it is not done.'
const notDone =
  'The task is not done yet. Look again at what was asked for, and finish what is left.'

/** Keeps a turn going until a judge finds the task done, within a cap. */
export const stopJudge = defineHooks<StopJudgeOptions>({
  name: 'stop-judge',
  description: 'Keeps a turn going until a judge finds the task done.',
  options: stopJudgeShape,
  create(given, { name, clock, callModel }) {
    const { rubric = defaultRubric, maxRounds = 2, onFailure = 'open' } = given
    const { subagents = false, maxTranscriptChars = 12_000 } = given
    const { timeoutMs = 20_000, donePatterns = [], openPatterns = [] } = given
    const isDone = compilePatterns(donePatterns, `"${name}"`)
    const isOpen = compilePatterns(openPatterns, `"${name}"`)
    const seen = defineCell<Seen>(`${name}:seen`, {
      initial: () => ({ model: '', transcript: [] }),
      scope: 'turn',
      maxChars: 400_000,
    })
    const rounds = createRounds(name, maxRounds)
    const isJudged = ({ parents }: AgentScope) =>
      subagents || parents === undefined

    const watch = defineHook({
      name: `${name}:watch`,
      on: llmPreCall,
      handler: { version: '1' },
      // It judges nothing here, and sees what others have left of the request.
      priority: 900,
      beforeWrites: true,
      onFailure: 'open',
      match: (_, scope) => isJudged(scope) && isOwnCall(scope),
      async run({ request: { model, messages } }, { state }) {
        const transcript = transcriptOf(messages, maxTranscriptChars)
        await state.update(seen, () => ({ model, transcript }))
        return proceed
      },
    })
    const judge = defineHook({
      name: `${name}:judge`,
      on: turnStop,
      handler: { version: '1' },
      // Its own limit comes first, so that `onFailure` decides and not the engine.
      timeoutMs: timeoutMs + 5_000,
      match: (_, scope) => isJudged(scope),
      async run(input, context) {
        const { state } = context
        if (!(await rounds.areLeft(state, input))) return proceed
        const reply = textOf(input.reply)
        // Of two patterns, the one that goes on counts.
        if (isOpen(reply)) return await rounds.goOn(state, notDone)
        if (donePatterns.length > 0 && isDone(reply)) return proceed
        const ask = async (): Promise<Verdict> => {
          const { model, transcript } = await state.get(seen)
          const request = judgeRequest({
            ...{ rubric, transcript },
            reply: endOf(reply, maxTranscriptChars),
            model: given.model ?? model,
          })
          return readVerdict(await callModel(context, request))
        }
        const verdict = await inTime(ask, timeoutMs, clock)
        if (verdict.type === 'done') return proceed
        if (verdict.type === 'open') {
          return await rounds.goOn(state, verdict.missing.trim() || notDone)
        }
        context.diagnose('no-verdict', verdict.problem)
        return onFailure === 'open'
          ? proceed
          : await rounds.goOn(state, notDone)
      },
    })
    return [watch, judge]
  },
})

/** Whatever goes wrong with a judge, the turn is not to fail with it. */
async function inTime(
  ask: () => Promise<Verdict>,
  ms: number,
  clock: Clock,
): Promise<Verdict> {
  const { promise: late, resolve } = Promise.withResolvers<Verdict>()
  const timer = clock.after(ms, () =>
    resolve({ type: 'unclear', problem: `The judge took over ${ms} ms.` }),
  )
  const asked = ask().catch((): Verdict => {
    return { type: 'unclear', problem: 'The judge could not be asked.' }
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    timer.stop()
  }
}

function textOf(reply: Reply): string {
  return reply
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
}
