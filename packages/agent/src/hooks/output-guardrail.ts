import { createHash } from 'node:crypto'
import {
  defineCell,
  defineHook,
  type Hook,
  proceed,
  reject,
  transform,
} from 'hookline'
import {
  llmPostCall,
  type ModelContent,
  type ModelResponse,
  type Reply,
  turnOutput,
} from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  type HooksHost,
  object,
  word,
} from '../define-hooks.ts'
import { AgentError, type AnyContext } from '../index.ts'
import {
  type GuardrailOptions,
  guardrailFields,
} from './shared/rules/guardrail-options.ts'
import {
  judgeText,
  type ModelJudgeOptions,
} from './shared/rules/model-judge.ts'
import { redactReply, textsOfReply } from './shared/rules/reply-texts.ts'
import { createTextRules, type TextRules } from './shared/rules/text-rules.ts'
import { ownCalls } from './shared/turns/own-calls.ts'

export interface OutputGuardrailOptions extends GuardrailOptions {
  /**
   * What is held back until a reply was judged: `all` of it (the default), or
   * only the `sentence` that is not complete. Whole sentences are then seen
   * before anybody has judged them.
   */
  readonly holdBack?: 'all' | 'sentence'
}

const options = object<OutputGuardrailOptions>(
  {
    ...guardrailFields,
    holdBack: described(
      word(['all', 'sentence']),
      'What is held back until a reply was judged; default: all of it.',
    ),
  },
  [],
)

/** Judges what the agent says, before its tools run and anything goes out. */
export const outputGuardrail = defineHooks({
  name: 'output-guardrail',
  description: 'Withholds, redacts or replaces replies that are not allowed.',
  options,
  create(given, host) {
    const { judge } = given
    const rules = createTextRules(given)
    checkOptions(host.name, given, rules.isEmpty)
    const guardrail = createGuardrail(given, host)
    return [
      ...(rules.isEmpty ? [] : applyRules(guardrail, rules)),
      ...(judge ? askJudge(guardrail, judge) : []),
    ]
  },
})

// The way out begins with the highest number: scans that redact come before
// guardrails that change replies, and those before guardrails that only judge.
const changing = -950
const judging = -1_000

/** What the hooks of one guardrail go by. */
type Guardrail = ReturnType<typeof createGuardrail>

function createGuardrail(given: OutputGuardrailOptions, host: HooksHost) {
  const { action = 'reject', message = refusal, holdBack = 'all' } = given
  const instead = [{ type: 'text' as const, text: message }]
  return {
    ...{ name: host.name, options: given, host },
    shared: {
      handler: { version: '1' },
      // What hooks ask models for is not what the user is told.
      match: ownCalls,
      writes: action !== 'reject',
      holdBack,
      priority: action === 'reject' ? judging : changing,
    } as const,
    refuseCall: (response: ModelResponse, why = message) => {
      if (action !== 'respond') return reject(why)
      const stopReason = 'end_turn' as const
      return transform({ ...response, content: instead, stopReason })
    },
    refuseReply: (why = message) =>
      action === 'respond' ? transform<Reply>(instead) : reject(why),
  }
}

function applyRules(
  { name, options, shared, refuseCall, refuseReply }: Guardrail,
  rules: TextRules,
): readonly Hook[] {
  const { action, message, replacement = '[removed]' } = options
  const redacted = <B extends ModelContent[number]>(content: readonly B[]) =>
    action === 'redact'
      ? redactReply(content, rules.find, replacement)
      : content
  /** Why what is left is not allowed either, if it is not. */
  const whyNot = (left: ModelContent) => {
    const rule = rules.broken(textsOfReply(left))
    if (rule === undefined) return undefined
    return message ?? `${refusal} Rule: ${rule}.`
  }
  const atCall = defineHook({
    ...shared,
    name: `${name}:rules`,
    on: llmPostCall,
    run({ response }) {
      if (response === undefined) return proceed
      const content = redacted(response.content)
      const why = whyNot(content)
      if (why !== undefined) return refuseCall(response, why)
      if (content === response.content) return proceed
      return transform({ ...response, content })
    },
  })
  const atEnd = defineHook({
    ...shared,
    name: `${name}:final-rules`,
    on: turnOutput,
    run({ reply }) {
      const left = redacted(reply)
      const why = whyNot(left)
      if (why !== undefined) return refuseReply(why)
      return left === reply ? proceed : transform<Reply>(left)
    },
  })
  return [atCall, atEnd]
}

function askJudge(
  guardrail: Guardrail,
  judge: ModelJudgeOptions,
): readonly Hook[] {
  const { name, shared, refuseCall, refuseReply } = guardrail
  const isAllowed = createJudge(guardrail, judge)
  const timed = {
    ...shared,
    // After the rules.
    priority: shared.priority - 1,
    timeoutMs: judge.timeoutMs ?? 30_000,
    onFailure: judge.onFailure ?? 'closed',
  } as const
  const atCall = defineHook({
    ...timed,
    name: `${name}:judge`,
    on: llmPostCall,
    async run({ response }, context) {
      if (response === undefined) return proceed
      const isFine = await isAllowed(response.content, context)
      return isFine ? proceed : refuseCall(response)
    },
  })
  const atEnd = defineHook({
    ...timed,
    name: `${name}:final-judge`,
    on: turnOutput,
    async run({ reply }, context) {
      return (await isAllowed(reply, context)) ? proceed : refuseReply()
    },
  })
  return [atCall, atEnd]
}

const maxJudged = 100

/** A reply that was judged at its call is not judged again at the end. */
function createJudge({ name, host }: Guardrail, judge: ModelJudgeOptions) {
  const judged = defineCell<readonly string[]>(`${name}:judged`, {
    initial: () => [],
    scope: 'turn',
  })
  return async (content: ModelContent, context: AnyContext) => {
    const said = textsOfReply(content).join('\n')
    if (said.trim() === '') return true
    const digest = createHash('sha256').update(said).digest('base64')
    if ((await context.state.get(judged)).includes(digest)) return true
    const verdict = await judgeText(host, context, said, judge)
    if (verdict === 'refuse') return false
    await context.state.update(judged, (before) => [
      ...before.slice(-maxJudged),
      digest,
    ])
    return true
  }
}

const refusal = 'This reply is not allowed here.'

function checkOptions(
  name: string,
  { judge, action, holdBack }: OutputGuardrailOptions,
  isEmpty: boolean,
): void {
  const problem =
    isEmpty && judge === undefined
      ? 'have neither rules nor a judge'
      : holdBack === 'sentence' && action !== undefined && action !== 'reject'
        ? `hold back sentences only, which cannot be taken back for "${action}"`
        : undefined
  if (problem === undefined) return
  const text = `The options of "${name}" ${problem}.`
  throw new AgentError('invalid-config', text)
}
