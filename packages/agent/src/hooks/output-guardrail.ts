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
  type Reply,
  turnOutput,
} from 'hookline/lifecycle'
import { defineHooks, described, object, word } from '../define-hooks.ts'
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
import { createTextRules } from './shared/rules/text-rules.ts'

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

/** What hooks ask models for is not what the user is told. */
const toUsers = { origin: { $not: ['hook', 'preflight', 'compaction'] } }
const maxJudged = 100

/** Judges what the agent says, before its tools run and anything goes out. */
export const outputGuardrail = defineHooks({
  name: 'output-guardrail',
  description: 'Withholds, redacts or replaces replies that are not allowed.',
  options,
  create(given, host) {
    const { judge, action = 'reject', holdBack = 'all' } = given
    const { message = refusal, replacement = '[removed]' } = given
    const { name } = host
    const rules = createTextRules(given)
    checkOptions(name, given, rules.isEmpty)
    const instead = [{ type: 'text' as const, text: message }]

    /** What is to be said in place of it; nothing: it is withheld. */
    const withRules = <B extends ModelContent[number]>(
      content: readonly B[],
    ): { readonly rule?: string; readonly left: readonly B[] } => {
      const left =
        action === 'redact'
          ? redactReply(content, rules.find, replacement)
          : content
      const rule = rules.broken(textsOfReply(left))
      return rule === undefined ? { left } : { left, rule }
    }
    const why = (rule: string) => given.message ?? `${refusal} Rule: ${rule}.`

    const shared = {
      handler: { version: '1' },
      match: toUsers,
      writes: action !== 'reject',
      holdBack,
    } as const
    const rulesHook: Hook = defineHook({
      ...shared,
      name: `${name}:rules`,
      on: llmPostCall,
      run({ response }) {
        if (response === undefined) return proceed
        const { content } = response
        const { left, rule } = withRules(content)
        if (rule === undefined) {
          if (left === content) return proceed
          return transform({ ...response, content: left })
        }
        if (action !== 'respond') return reject(why(rule))
        const stopReason = 'end_turn' as const
        return transform({ ...response, content: instead, stopReason })
      },
    })
    const finalRules: Hook = defineHook({
      ...shared,
      name: `${name}:final-rules`,
      on: turnOutput,
      run({ reply }) {
        const { left, rule } = withRules(reply)
        if (rule === undefined) {
          return left === reply ? proceed : transform<Reply>(left)
        }
        return action === 'respond'
          ? transform<Reply>(instead)
          : reject(why(rule))
      },
    })

    // A reply that was judged at its call is not judged again at the end.
    const judged = defineCell<readonly string[]>(`${name}:judged`, {
      initial: () => [],
      scope: 'turn',
    })
    const isAllowed = async (
      content: ModelContent,
      context: AnyContext,
      options: ModelJudgeOptions,
    ) => {
      const said = textsOfReply(content).join('\n')
      if (said.trim() === '') return true
      const digest = createHash('sha256').update(said).digest('base64')
      if ((await context.state.get(judged)).includes(digest)) return true
      const verdict = await judgeText(host, context, said, options)
      if (verdict === 'refuse') return false
      await context.state.update(judged, (before) => [
        ...before.slice(-maxJudged),
        digest,
      ])
      return true
    }
    const judging = (options: ModelJudgeOptions): readonly Hook[] => {
      const timed = {
        ...shared,
        // The way out begins with the highest number: after the rules.
        priority: 99,
        timeoutMs: options.timeoutMs ?? 30_000,
        onFailure: options.onFailure ?? 'closed',
      } as const
      const atCall = defineHook({
        ...timed,
        name: `${name}:judge`,
        on: llmPostCall,
        async run({ response }, context) {
          if (response === undefined) return proceed
          if (await isAllowed(response.content, context, options)) {
            return proceed
          }
          if (action !== 'respond') return reject(message)
          const stopReason = 'end_turn' as const
          return transform({ ...response, content: instead, stopReason })
        },
      })
      const atEnd = defineHook({
        ...timed,
        name: `${name}:final-judge`,
        on: turnOutput,
        async run({ reply }, context) {
          if (await isAllowed(reply, context, options)) return proceed
          if (action !== 'respond') return reject(message)
          return transform<Reply>(instead)
        },
      })
      return [atCall, atEnd]
    }
    return [
      ...(rules.isEmpty ? [] : [rulesHook, finalRules]),
      ...(judge ? judging(judge) : []),
    ]
  },
})

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
