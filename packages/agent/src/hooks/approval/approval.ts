import { ask, defineCell, defineHook, proceed } from 'hookline'
import {
  type AgentScope,
  permissionResolved,
  type SealedCall,
  toolGuard,
} from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  list,
  object,
  text,
  word,
} from '../../define-hooks.ts'
import {
  type CallRuleOptions,
  callRuleFields,
  compileCallRule,
} from '../shared/rules/call-rule.ts'
import { stableDigest } from '../shared/rules/stable-digest.ts'
import { defaultQuestion, questionText } from './question-text.ts'

export interface ApprovalRule extends CallRuleOptions {
  /** `{tool}`, `{args}` and `{args.path}` stand for values, quoted and bounded. */
  readonly question?: string
  /** How long a yes counts for further calls; default: for this one only. */
  readonly lasts?: 'once' | 'turn' | 'session'
  /** What it counts for: the tool with the same `arguments` (the default), or with any. */
  readonly covers?: 'arguments' | 'tool'
}

export interface ApprovalOptions {
  /** The first that a call is meant by has it asked about. */
  readonly rules: readonly ApprovalRule[]
}

const options = object<ApprovalOptions>(
  {
    rules: described(
      list(
        object<ApprovalRule>(
          {
            ...callRuleFields,
            question: described(
              text({ maxLength: 2_000 }),
              '{tool}, {args} and {args.path} stand for values, quoted and bounded.',
            ),
            lasts: described(
              word(['once', 'turn', 'session']),
              'How long a yes counts for further calls; default: once, for this one only.',
            ),
            covers: described(
              word(['arguments', 'tool']),
              'What a yes counts for: the tool with the very same arguments, or with any; default: arguments.',
            ),
          },
          [],
        ),
        { min: 1, max: 200 },
      ),
      'The first that a call is meant by has it asked about.',
    ),
  },
  ['rules'],
)

const maxRemembered = 500

/** Has people agree to calls of tools before they run. */
export const approval = defineHooks({
  name: 'approval',
  description: 'Has people agree to calls of tools before they run.',
  options,
  create({ rules }, { name }) {
    const compiled = rules.map((rule, index) => ({
      ...rule,
      index,
      isMeant: compileCallRule(rule),
    }))
    const ruleFor = (call: SealedCall) =>
      compiled.find(({ isMeant }) => isMeant(call))
    const agreedIn = (scope: 'turn' | 'session') =>
      defineCell<readonly string[]>(`${name}:agreed-${scope}`, {
        initial: () => [],
        scope,
      })
    const cells = { turn: agreedIn('turn'), session: agreedIn('session') }

    const guard = defineHook({
      name: `${name}:ask`,
      on: toolGuard,
      handler: { version: '1' },
      async run(call, { scope, state }) {
        const rule = ruleFor(call)
        if (rule === undefined) return proceed
        const { lasts = 'once', question = defaultQuestion } = rule
        if (lasts !== 'once') {
          const agreed = await state.get(cells[lasts])
          if (agreed.includes(markOf(rule, call, scope))) return proceed
        }
        return ask(questionText(question, call, scope.agent))
      },
    })
    const note = defineHook({
      name: `${name}:remember`,
      on: permissionResolved,
      match: { decision: 'allow' },
      handler: { version: '1' },
      async run({ call, questions }, { scope, state }) {
        const rule = ruleFor(call)
        const isOurs = questions.some(({ by }) => by === guard.name)
        const { lasts = 'once' } = rule ?? {}
        if (rule === undefined || !isOurs || lasts === 'once') {
          return proceed
        }
        const mark = markOf(rule, call, scope)
        await state.update(cells[lasts], (before) =>
          before.includes(mark)
            ? before
            : [...before, mark].slice(-maxRemembered),
        )
        return proceed
      },
    })
    const remembers = rules.some(({ lasts = 'once' }) => {
      return lasts !== 'once'
    })
    return remembers ? [guard, note] : [guard]
  },
})

/**
 * What a yes counts for: as the call is, and as it may run. Under a wider grant
 * or in another folder it would be another question.
 */
function markOf(
  { index, covers = 'arguments' }: ApprovalRule & { readonly index: number },
  { tool, owner, safety, args, grant, definitionHash }: SealedCall,
  { agent, cwd }: AgentScope,
): string {
  const { decision: _, reason: __, ...limits } = grant
  const about = { index, tool, owner, safety, definitionHash, limits, agent }
  const where = cwd === undefined ? about : { ...about, cwd }
  return stableDigest(covers === 'tool' ? where : { ...where, args })
}
