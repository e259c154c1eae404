import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { isObject } from './printed.ts'
import type { Decided } from './verdict.ts'

/**
 * A document in the shape that most products share with Claude Code. Only what
 * has the right type is in it; the rest is a problem.
 */
export interface ClaudeShape {
  /** `continue: false`, with its reason. */
  readonly stop?: string
  readonly systemMessage?: string
  /** The stronger one of those at the top and in a `hookSpecificOutput`. */
  readonly decision?: 'block' | 'deny' | 'ask' | 'allow'
  readonly reason?: string
  readonly permission?: Decided
  readonly permissionReason?: string
  readonly updatedInput?: JsonObject
  readonly additionalContext?: string
  /** The answer to a question to the user. */
  readonly behavior?: 'allow' | 'deny'
  readonly message?: string
  readonly specific: JsonObject
  /** Fields that cannot be read as what they are. */
  readonly problems: readonly string[]
  /** Understood, though the document does not have it where it belongs. */
  readonly isSloppy: boolean
}

const decisions: Readonly<Record<string, ClaudeShape['decision']>> = {
  block: 'block',
  deny: 'deny',
  ask: 'ask',
  allow: 'allow',
  approve: 'allow',
}

const fromTheStrongest = ['block', 'deny', 'ask', 'allow'] as const

const permissions: ReadonlySet<string> = new Set<Decided>([
  'deny',
  'defer',
  'ask',
  'allow',
])

const noReason = 'A hook has stopped it without a reason.'

export function readClaudeShape(document: JsonObject): ClaudeShape {
  const problems: string[] = []
  const given = document['hookSpecificOutput']
  const specific = isObject(given) ? given : {}
  if (given !== undefined && !isObject(given))
    problems.push('hookSpecificOutput')
  const text = (from: JsonObject, key: string) => {
    const value = from[key] ?? undefined
    if (value === undefined || typeof value === 'string') return value
    problems.push(key)
    return undefined
  }
  const isNested = isObject(specific['decision'])
  const answer = isObject(specific['decision']) ? specific['decision'] : {}
  const decisionIn = (from: JsonObject) =>
    oneOf(text(from, 'decision'), 'decision', problems)
  const outer = decisionIn(document)
  const inner = isNested ? undefined : decisionIn(specific)
  const decision = fromTheStrongest.find((one) => [outer, inner].includes(one))
  const reasons = [text(document, 'reason'), text(specific, 'reason')]
  const permission = text(specific, 'permissionDecision')
  if (permission !== undefined && !permissions.has(permission)) {
    problems.push('permissionDecision')
  }
  const behavior = text(answer, 'behavior')
  if (behavior !== undefined && behavior !== 'allow' && behavior !== 'deny') {
    problems.push('behavior')
  }
  object(answer['updatedInput'], 'updatedInput', problems)
  const message = text(document, 'systemMessage')
  const inside = text(specific, 'systemMessage')
  return defined({
    stop: stopOf(document, text(document, 'stopReason'), problems),
    systemMessage: message ?? inside,
    decision,
    // That of whoever decides comes first.
    reason: (decision === outer ? reasons : reasons.reverse()).find(
      (one) => one !== undefined,
    ),
    permission: permissions.has(permission ?? '')
      ? (permission as Decided) // just looked up
      : undefined,
    permissionReason: text(specific, 'permissionDecisionReason'),
    updatedInput: object(specific['updatedInput'], 'updatedInput', problems),
    additionalContext:
      text(specific, 'additionalContext') ??
      text(document, 'additionalContext'),
    behavior:
      behavior === 'allow' || behavior === 'deny' ? behavior : undefined,
    message: text(answer, 'message'),
    specific,
    problems,
    isSloppy:
      (given !== undefined && specific['hookEventName'] === undefined) ||
      inside !== undefined ||
      document['additionalContext'] !== undefined,
  })
}

/** What is said for another event is not said for this. */
export function isNamed(
  { specific }: Pick<ClaudeShape, 'specific'>,
  events: readonly string[],
): boolean {
  const { hookEventName: name } = specific
  if (name === undefined) return true
  return typeof name === 'string' && events.includes(name)
}

function stopOf(
  document: JsonObject,
  reason: string | undefined,
  problems: string[],
): string | undefined {
  const { continue: goesOn } = document
  if (goesOn === undefined || goesOn === true) return undefined
  if (goesOn !== false) {
    problems.push('continue')
    return undefined
  }
  return reason === undefined || reason.trim() === '' ? noReason : reason
}

function oneOf(
  value: string | undefined,
  key: string,
  problems: string[],
): ClaudeShape['decision'] {
  if (value === undefined || value === '') return undefined
  const known = Object.hasOwn(decisions, value) ? decisions[value] : undefined
  if (known === undefined) problems.push(key)
  return known
}

function object(
  value: JsonValue | undefined,
  key: string,
  problems: string[],
): JsonObject | undefined {
  if (value === undefined || value === null) return undefined
  if (isObject(value)) return value
  problems.push(key)
  return undefined
}

/** Without what is undefined. */
export function defined<T extends object>(
  given: { [K in keyof T]: T[K] | undefined },
): T {
  const entries = Object.entries(given).filter(
    ([, value]) => value !== undefined,
  )
  // The same keys, but for those that hold nothing.
  return Object.fromEntries(entries) as T
}
