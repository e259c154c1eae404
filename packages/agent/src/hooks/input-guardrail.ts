import {
  type Cell,
  defineCell,
  defineHook,
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
import {
  defineHooks,
  described,
  type HooksHost,
  object,
  word,
} from '../define-hooks.ts'
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
import { createTextRules, type TextRules } from './shared/rules/text-rules.ts'
import { ownCalls } from './shared/turns/own-calls.ts'

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
    const guardrail = createGuardrail(given, host)
    const { judge, action = 'reject' } = given
    if (!guardrail.hasRules && judge === undefined) {
      const text = `The options of "${host.name}" have neither rules nor a judge.`
      throw new AgentError('invalid-config', text)
    }
    const guards = guardrail.hasRules ? [refuseByRules(guardrail)] : []
    if (action === 'respond') {
      return [
        ...(guardrail.hasRules ? [keepOut(guardrail)] : []),
        ...(judge ? [keepOut(guardrail, judge)] : []),
        ...guards,
        answerInstead(guardrail),
      ]
    }
    return [
      ...(action === 'redact' ? [redact(guardrail)] : []),
      ...guards,
      ...(judge ? [refuseByJudge(guardrail, judge)] : []),
    ]
  },
})

/** What the hooks of one guardrail go by. */
interface Guardrail {
  readonly name: string
  readonly options: InputGuardrailOptions
  readonly rules: TextRules
  readonly hasRules: boolean
  /** The rule that is broken, if one is. */
  readonly brokenIn: (content: UserContent) => string | undefined
  readonly isRefusedBy: (
    judge: ModelJudgeOptions,
    content: UserContent,
    context: AnyContext,
  ) => Promise<boolean>
  /** Whether what was said in this turn was kept out. */
  readonly refused: Cell<boolean>
}

function createGuardrail(
  given: InputGuardrailOptions,
  host: HooksHost,
): Guardrail {
  const { name } = host
  const rules = createTextRules(given)
  const refusesMedia = given.media === 'reject'
  return {
    ...{ name, options: given, rules },
    hasRules: !rules.isEmpty || refusesMedia,
    brokenIn: (content) =>
      refusesMedia && content.some(isMedium)
        ? 'a medium'
        : rules.broken(textsOf(content)),
    async isRefusedBy(judge, content, context) {
      const said = textsOf(content).join('\n')
      if (said.trim() === '') return false
      return (await judgeText(host, context, said, judge)) !== 'allow'
    },
    refused: defineCell(`${name}:refused`, {
      initial: () => false,
      scope: 'turn',
    }),
  }
}

/** After everybody who rewrites, and the words as they will enter. */
function refuseByRules({ name, options, brokenIn }: Guardrail) {
  return defineHook({
    name: `${name}:rules`,
    on: turnPreTurn,
    handler: { version: '1' },
    run({ content }) {
      const rule = brokenIn(content)
      if (rule === undefined) return proceed
      return reject(options.message ?? `${refusal} Rule: ${rule}.`)
    },
  })
}

function refuseByJudge(
  { name, options, isRefusedBy }: Guardrail,
  judge: ModelJudgeOptions,
) {
  return defineHook({
    name: `${name}:judge`,
    on: turnPreTurn,
    handler: { version: '1' },
    priority: 101,
    timeoutMs: judge.timeoutMs ?? 30_000,
    onFailure: judge.onFailure ?? 'closed',
    async run({ content }, context) {
      const isRefused = await isRefusedBy(judge, content, context)
      return isRefused ? reject(options.message ?? refusal) : proceed
    },
  })
}

function redact({ name, options, rules }: Guardrail) {
  const { replacement = '[removed]' } = options
  return defineHook({
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
}

/** By the rules, or by the judge that is given. */
function keepOut(
  { name, brokenIn, isRefusedBy, refused }: Guardrail,
  judge?: ModelJudgeOptions,
) {
  return defineHook({
    name: `${name}:${judge ? 'judge' : 'keep-out'}`,
    on: turnInput,
    handler: { version: '1' },
    writes: true,
    beforeWrites: true,
    priority: judge ? 901 : 900,
    timeoutMs: judge?.timeoutMs ?? 30_000,
    onFailure: judge?.onFailure ?? 'closed',
    async run({ content }, context) {
      const isRefused = judge
        ? await isRefusedBy(judge, content, context)
        : brokenIn(content) !== undefined
      if (!isRefused) return proceed
      await context.state.update(refused, () => true)
      return transform<UserContent>([{ type: 'text', text: keptOut }])
    },
  })
}

/** Says what there is to say in place of what the model would. */
function answerInstead({ name, options, refused }: Guardrail) {
  return defineHook({
    name: `${name}:answer`,
    on: llmPreCall,
    handler: { version: '1' },
    // What hooks ask models for is not what the user has said.
    match: ownCalls,
    priority: 1,
    beforeWrites: true,
    async run(_, { state }) {
      if (!(await state.get(refused))) return proceed
      return respond(saying(options.message ?? refusal))
    },
  })
}

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
