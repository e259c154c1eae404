import {
  defineHook,
  type Hook,
  type MaybePromise,
  proceed,
  reject,
  type State,
  transform,
} from 'hookline'
import {
  llmPostCall,
  toolGuard,
  toolPostCall,
  toolPreCall,
  turnInput,
  turnOutput,
  turnPreTurn,
} from 'hookline/lifecycle'
import { type Find, replaceFindings } from './finding.ts'
import {
  type ChangeText,
  mapBlocks,
  mapCalls,
  mapRecord,
  mapResult,
} from './map-texts.ts'
import { createSafeUntil } from './safe-until.ts'

/** Where texts are looked at. */
export const scanPlaces = [
  'input',
  'tool-arguments',
  'tool-results',
  'output',
] as const

export type ScanPlace = (typeof scanPlaces)[number]

export const scanActions = ['redact', 'reject', 'flag'] as const

export type ScanAction = (typeof scanActions)[number]

/** What stands in the place of a finding. */
export type Replacement = (found: string, kind: string) => string

export interface ScanRules {
  /** What the names of the hooks begin with. */
  readonly name: string
  /** What is found, as in "holds …". */
  readonly what: string
  /** Of diagnostics. */
  readonly code: string
  readonly action: ScanAction
  readonly places: readonly ScanPlace[]
  readonly find: Find
  /** Whether a text in data is a finding because of the name it has. */
  readonly isNamed?: (name: string, value: string) => boolean
  /** More than any finding with spaces in it has characters. */
  readonly waiting: number
  readonly replacement: (state: State) => MaybePromise<Replacement>
}

// As late as can be: what other hooks put in is looked at, too. At points on
// the way out the order of priorities is the other way round.
const lastIn = 900
const lastOut = -900
// What is only judged is judged as it goes out, after all that change it.
const judgedOut = -1_000

interface Context {
  readonly diagnose: (code: string, message: string) => void
}

/** Hooks that look at every text at some places, and do one thing about it. */
export function scanHooks(rules: ScanRules): readonly Hook[] {
  const { action, places } = rules
  const isRedacting = action === 'redact'
  return places.flatMap((place): readonly Hook[] => {
    if (place === 'input')
      return [isRedacting ? editInput(rules) : judgeInput(rules)]
    if (place === 'tool-results') return [scanResult(rules)]
    if (place === 'output') return [scanReply(rules), scanOutput(rules)]
    // In the reply, so that no event tells how the model wrote them; and what
    // other hooks write into the arguments later must not slip by.
    return [
      ...(isRedacting ? [editCalls(rules), editCall(rules)] : []),
      judgeCall(rules),
    ]
  })
}

function editInput(rules: ScanRules): Hook {
  return defineHook({
    ...about(rules, 'input'),
    on: turnInput,
    priority: lastIn,
    writes: true,
    async run({ content }, { state }) {
      const made = await redacted(rules, state, content, mapBlocks)
      return made === content ? proceed : transform(made)
    },
  })
}

function judgeInput(rules: ScanRules): Hook {
  return defineHook({
    ...about(rules, 'input'),
    on: turnPreTurn,
    run: ({ content }, context) =>
      judged(rules, context, 'The input', kindsIn(rules, content, mapBlocks)),
  })
}

function editCall(rules: ScanRules): Hook {
  return defineHook({
    ...about(rules, 'arguments'),
    on: toolPreCall,
    priority: lastIn,
    writes: true,
    async run({ args }, { state }) {
      const made = await redacted(rules, state, args, mapRecord)
      return made === args ? proceed : transform(made)
    },
  })
}

function editCalls(rules: ScanRules): Hook {
  return defineHook({
    ...about(rules, 'calls'),
    on: llmPostCall,
    priority: lastOut,
    holdBack: 'none',
    writes: true,
    async run({ response }, { state }) {
      if (response === undefined) return proceed
      const { content: said } = response
      const content = await redacted(rules, state, said, mapCalls)
      return content === said ? proceed : transform({ ...response, content })
    },
  })
}

function judgeCall(rules: ScanRules): Hook {
  return defineHook({
    ...about(rules, 'call'),
    on: toolGuard,
    run({ args, tool }, context) {
      const kinds = kindsIn(rules, args, mapRecord)
      return judged(rules, context, `The call of "${tool}"`, kinds)
    },
  })
}

function scanResult(rules: ScanRules): Hook {
  return defineHook({
    ...about(rules, 'results'),
    ...onTheWayOut(rules),
    on: toolPostCall,
    async run({ call, result }, context) {
      if (rules.action !== 'redact') {
        const kinds = kindsIn(rules, result, mapResult)
        return judged(rules, context, `The result of "${call.tool}"`, kinds)
      }
      const made = await redacted(rules, context.state, result, mapResult)
      return made === result ? proceed : transform(made)
    },
  })
}

function scanReply(rules: ScanRules): Hook {
  return defineHook({
    ...about(rules, 'replies'),
    ...onTheWayOut(rules),
    ...streamed(rules),
    on: llmPostCall,
    async run({ response }, context) {
      if (response === undefined) return proceed
      const { content: said } = response
      if (rules.action !== 'redact') {
        const kinds = kindsIn(rules, said, mapBlocks)
        return judged(rules, context, 'The reply', kinds)
      }
      const content = await redacted(rules, context.state, said, mapBlocks)
      return content === said ? proceed : transform({ ...response, content })
    },
  })
}

function scanOutput(rules: ScanRules): Hook {
  return defineHook({
    ...about(rules, 'output'),
    ...onTheWayOut(rules),
    ...streamed(rules),
    on: turnOutput,
    async run({ reply }, context) {
      if (rules.action !== 'redact') {
        const kinds = kindsIn(rules, reply, mapBlocks)
        return judged(rules, context, 'The reply', kinds)
      }
      const made = await redacted(rules, context.state, reply, mapBlocks)
      return made === reply ? proceed : transform(made)
    },
  })
}

function about({ name }: ScanRules, part: string) {
  return { name: `${name}:${part}`, handler: { version: '1' } }
}

function onTheWayOut({ action }: ScanRules) {
  return action === 'redact'
    ? ({ priority: lastOut, writes: true } as const)
    : ({ priority: judgedOut } as const)
}

/** What is only flagged goes out at once. */
function streamed({ action, find, waiting }: ScanRules) {
  return action === 'flag'
    ? { holdBack: 'none' as const }
    : { safeUntil: createSafeUntil(find, waiting) }
}

type MapTexts<T> = (value: T, change: ChangeText) => T

/** How many of which kinds there are. */
function kindsIn<T>(rules: ScanRules, value: T, map: MapTexts<T>) {
  const kinds = new Map<string, number>()
  const count: Replacement = (found, kind) => {
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    return found
  }
  map(value, changeWith(rules, count))
  return kinds
}

/** The same value if there is nothing in it: then no state is asked for. */
async function redacted<T>(
  rules: ScanRules,
  state: State,
  value: T,
  map: MapTexts<T>,
): Promise<T> {
  if (kindsIn(rules, value, map).size === 0) return value
  return map(value, changeWith(rules, await rules.replacement(state)))
}

function changeWith(
  { find, isNamed }: ScanRules,
  replace: Replacement,
): ChangeText {
  return (text, key) => {
    if (key !== undefined && isNamed?.(key, text)) return replace(text, 'named')
    const findings = find(text)
    return findings.length === 0
      ? text
      : replaceFindings(text, findings, replace)
  }
}

function judged(
  { what, code, action }: ScanRules,
  { diagnose }: Context,
  subject: string,
  kinds: ReadonlyMap<string, number>,
) {
  if (kinds.size === 0) return proceed
  const list = [...kinds].map(([kind, count]) => `${count} × ${kind}`)
  const message = `${subject} holds ${what}: ${list.join(', ')}.`
  if (action !== 'flag') return reject(message)
  diagnose(code, message)
  return proceed
}
