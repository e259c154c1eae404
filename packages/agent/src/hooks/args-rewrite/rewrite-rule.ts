import type { JsonValue } from 'hookline/lifecycle'
import {
  anyJson,
  described,
  flag,
  number,
  object,
  type Shape,
  text,
} from '../../define-hooks.ts'
import {
  type CallRuleOptions,
  callRuleFields,
} from '../shared/rules/call-rule.ts'
import { compileReplace, pattern } from '../shared/rules/linear-pattern.ts'
import type { Change } from './at-path.ts'
import { pathUnder } from './path-under.ts'

/** One change to one argument: exactly one of what can be done to it. */
export interface RewriteRule extends CallRuleOptions {
  /** The path of the argument: names with dots between; `*`: all entries. */
  readonly at: string
  /** This value, whatever was there. */
  readonly set?: JsonValue
  /** This value, where there is none. */
  readonly default?: JsonValue
  /** It is taken away. */
  readonly remove?: boolean
  /** A number is brought into these bounds. */
  readonly clamp?: { readonly min?: number; readonly max?: number }
  /** Every match of an RE2 pattern in a text becomes another text. */
  readonly replace?: { readonly pattern: string; readonly with: string }
  /** A path is put below this folder, if it is not there already. */
  readonly under?: string
}

const bounds = object<NonNullable<RewriteRule['clamp']>>(
  {
    min: described(number(), 'The least that it may be.'),
    max: described(number(), 'The most that it may be.'),
  },
  [],
)
const replacing = object<NonNullable<RewriteRule['replace']>>(
  {
    pattern: described(pattern, 'An RE2 pattern.'),
    with: described(
      text({ maxLength: 1_000, mayBeEmpty: true }),
      'What comes in its place; $1 is what the first group has matched.',
    ),
  },
  ['pattern', 'with'],
)
const operations = [
  'set',
  'default',
  'remove',
  'clamp',
  'replace',
  'under',
] as const

const fields = object<RewriteRule>(
  {
    ...callRuleFields,
    at: described(
      text({
        maxLength: 500,
        pattern: /^(?!.*__proto__)[^.]+(?:\.[^.]+)*$/s,
        kind: 'names with dots between',
      }),
      'The path of the argument: names with dots between; *: all entries.',
    ),
    set: described(anyJson, 'This value, whatever was there.'),
    default: described(anyJson, 'This value, where there is none.'),
    remove: described(flag, 'It is taken away.'),
    clamp: described(bounds, 'A number is brought into these bounds.'),
    replace: described(replacing, 'Matches in a text become another text.'),
    under: described(
      text({
        maxLength: 1_000,
        pattern: /^(?!(?:.*[/\\])?\.\.(?:[/\\]|$))/s,
        kind: 'a folder without ".." in its path',
      }),
      'A path is put below this folder, if it is not there already.',
    ),
  },
  ['at'],
)

export const rewriteRule: Shape<RewriteRule> = {
  ...fields,
  read(node, reading) {
    const rule = fields.read(node, reading)
    const { path, report } = reading
    const has =
      node.type === 'map' ? node.entries.map(({ key }) => key) : undefined
    const given = operations.filter((name) => has?.includes(name))
    const { min = -Infinity, max = Infinity } = rule?.clamp ?? {}
    if ((given.length === 1 && min <= max) || has === undefined) return rule
    const wanted =
      min > max
        ? 'a `min` that is no more than its `max`'
        : `exactly one of: ${operations.join(', ')}`
    const message = `\`${path.join('.')}\` has to have ${wanted}.`
    report.add({ code: 'wrong-value', at: node.at, path, message })
    return undefined
  },
}

/** A value that the rule is not about; the model can mend that. */
export class WrongValue extends Error {
  override readonly name = 'WrongValue'
}

/** What a rule does to the value at its path. */
export function changeOf(rule: RewriteRule): Change {
  const { set, default: missing, remove, clamp, replace, under } = rule
  if (set !== undefined) return () => set
  if (missing !== undefined) return (value) => value ?? missing
  if (remove !== undefined) return (value) => (remove ? undefined : value)
  if (clamp !== undefined) {
    const { min = -Infinity, max = Infinity } = clamp
    return whereThere((value) => {
      if (typeof value !== 'number') throw wrong(rule, 'a number')
      return Math.min(Math.max(value, min), max)
    })
  }
  if (replace !== undefined) {
    const inText = compileReplace(replace.pattern, replace.with)
    return whereThere((value) => {
      if (typeof value !== 'string') throw wrong(rule, 'text')
      return inText(value)
    })
  }
  return whereThere((value) => {
    const isPath = typeof value === 'string' && !value.includes('\0')
    if (!isPath) throw wrong(rule, 'a path')
    return pathUnder(under ?? '', value)
  })
}

function whereThere(change: (value: JsonValue) => JsonValue): Change {
  return (value) => (value === undefined ? undefined : change(value))
}

function wrong({ at }: RewriteRule, kind: string): WrongValue {
  return new WrongValue(`The argument "${at}" has to be ${kind}.`)
}
