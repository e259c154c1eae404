import {
  defineCell,
  defineHook,
  type Hook,
  proceed,
  reject,
  respond,
  transform,
} from 'hookline'
import {
  llmPreCall,
  type ModelResponse,
  turnInput,
  turnPreTurn,
  type UserContent,
} from 'hookline/lifecycle'
import { defineHooks, described, object, word } from '../define-hooks.ts'
import { AgentError, type AnyContext } from '../index.ts'
import { cutOut } from './shared/rules/found.ts'
import {
  type GuardrailOptions,
  guardrailFields,
} from './shared/rules/guardrail-options.ts'
import {
  judgeText,
  type ModelJudgeOptions,
} from './shared/rules/model-judge.ts'
import { createTextRules } from './shared/rules/text-rules.ts'

export interface InputGuardrailOptions extends GuardrailOptions {
  /** Images and files, which are not read; default: `allow`. */
  readonly media?: 'allow' | 'reject'
}

const options = object<InputGuardrailOptions>(
  {
    ...guardrailFields,
    media: described(
      word(['allow', 'reject']),
      'Images and files, which are not read; default: allow.',
    ),
  },
  [],
)

/** Judges what users say, before it enters the conversation. */
export const inputGuardrail = defineHooks({
  name: 'input-guardrail',
  description: 'Refuses, redacts or answers messages that are not allowed.',
  options,
  create(given, host) {
    const { judge, action = 'reject', media = 'allow' } = given
    const { message = refusal, replacement = '[removed]' } = given
    const { name } = host
    const rules = createTextRules(given)
    const refused = defineCell(`${name}:refused`, {
      initial: () => false,
      scope: 'turn',
    })
    const isBroken = (content: UserContent) => {
      if (media === 'reject' && content.some(isMedium)) return 'a medium'
      return rules.broken(textsOf(content))
    }
    const judged = (
      content: UserContent,
      context: AnyContext,
      options: ModelJudgeOptions,
    ) => {
      const said = textsOf(content).join('\n')
      if (said.trim() === '') return 'allow'
      return judgeText(host, context, said, options)
    }

    // After everybody who rewrites, and the words as they will enter.
    const guard = defineHook({
      name: `${name}:rules`,
      on: turnPreTurn,
      handler: { version: '1' },
      run({ content }) {
        const rule = isBroken(content)
        if (rule === undefined) return proceed
        return reject(given.message ?? `${refusal} Rule: ${rule}.`)
      },
    })
    const judging = (options: ModelJudgeOptions): Hook =>
      defineHook({
        name: `${name}:judge`,
        on: turnPreTurn,
        handler: { version: '1' },
        priority: 101,
        timeoutMs: options.timeoutMs ?? 30_000,
        onFailure: options.onFailure ?? 'closed',
        async run({ content }, context) {
          const verdict = await judged(content, context, options)
          return verdict === 'allow' ? proceed : reject(message)
        },
      })
    const redacting = defineHook({
      name: `${name}:redact`,
      on: turnInput,
      handler: { version: '1' },
      writes: true,
      // What others bring back is refused, not redacted.
      beforeWrites: true,
      priority: 900,
      run({ content }) {
        let isChanged = false
        const left = content.map((block) => {
          if (block.type !== 'text') return block
          const found = rules.find(block.text)
          isChanged ||= found.length > 0
          const text = cutOut(block.text, found, replacement)
          return found.length > 0 ? { ...block, text } : block
        })
        return isChanged ? transform(left) : proceed
      },
    })
    const keepOut = (options?: ModelJudgeOptions) =>
      defineHook({
        name: `${name}:${options ? 'judge' : 'keep-out'}`,
        on: turnInput,
        handler: { version: '1' },
        writes: true,
        beforeWrites: true,
        priority: options ? 901 : 900,
        timeoutMs: options?.timeoutMs ?? 30_000,
        onFailure: options?.onFailure ?? 'closed',
        async run({ content }, context) {
          const isAllowed = options
            ? (await judged(content, context, options)) === 'allow'
            : isBroken(content) === undefined
          if (isAllowed) return proceed
          await context.state.update(refused, () => true)
          return transform<UserContent>([{ type: 'text', text: keptOut }])
        },
      })
    const answer = defineHook({
      name: `${name}:answer`,
      on: llmPreCall,
      handler: { version: '1' },
      // What hooks ask models for is not what the user has said.
      match: { origin: { $not: ['hook', 'preflight', 'compaction'] } },
      priority: 1,
      beforeWrites: true,
      async run(_, { state }) {
        return (await state.get(refused)) ? respond(saying(message)) : proceed
      },
    })

    const hasRules = !rules.isEmpty || media === 'reject'
    if (!hasRules && judge === undefined) {
      const text = `The options of "${name}" have neither rules nor a judge.`
      throw new AgentError('invalid-config', text)
    }
    const guards: readonly Hook[] = hasRules ? [guard] : []
    if (action === 'respond') {
      const keepers = [...(hasRules ? [keepOut()] : [])]
      if (judge) keepers.push(keepOut(judge))
      return [...keepers, ...guards, answer]
    }
    const judges = judge ? [judging(judge)] : []
    return [...(action === 'redact' ? [redacting] : []), ...guards, ...judges]
  },
})

const refusal = 'This message is not allowed here.'
const keptOut = '[This message was kept out: it is not allowed here.]'

function isMedium({ type }: UserContent[number]): boolean {
  return type !== 'text'
}

/** What there is to read: names of files are, too. */
function textsOf(content: UserContent): readonly string[] {
  return content.flatMap((block) => {
    if (block.type === 'text') return [block.text]
    return block.type === 'file' && block.name ? [block.name] : []
  })
}

function saying(text: string): ModelResponse {
  return {
    content: [{ type: 'text', text }],
    stopReason: 'end_turn',
    usage: { inputTokens: 0, outputTokens: 0 },
  }
}
