import type { Point } from 'hookline'
import type {
  FailureDefinition,
  HookDefinition,
  WireContribution,
} from '../handlers/definition.ts'
import type { CatalogueEntry } from './catalogue.ts'
import { checkAtPoint } from './check-at-point.ts'
import { refuseKey } from './check-handler.ts'
import { conditionShape, matchShape } from './condition-shape.ts'
import { handlerShape, milliseconds } from './handler-shapes.ts'
import type { CompileRegex } from './linear-regex.ts'
import { pointRules, pointSchema } from './point-rules.ts'
import { anyJson, list, object } from './shape/containers.ts'
import { flag, number, text, word } from './shape/scalars.ts'
import { described, type Shape } from './shape/shape.ts'
import { wordOr } from './shape/unions.ts'

/** The words that files may use, beside those that never change. */
export interface Vocabulary {
  readonly points: Readonly<Record<string, Point>>
  /** The names that `builtin` handlers may have; absent: any. */
  readonly builtins?: readonly string[] | undefined
  /** What `use` may name; absent: anything. */
  readonly entries?: readonly CatalogueEntry[] | undefined
  readonly compileRegex: CompileRegex
}

/** Names of hooks that their file gives none begin so. */
export const anonymousPrefix = 'anonymous:'

export const hookName = text({
  pattern: /^[\w.:/@-]{1,128}$/,
  kind: 'a name of letters, digits and . : / @ _ -',
  maxLength: 128,
})

const names = list(hookName)

const contribution = object<WireContribution>(
  { kind: text(), value: anyJson },
  ['kind', 'value'],
)

const fallback = object<Extract<FailureDefinition, object>>(
  {
    fallback: object<Extract<FailureDefinition, object>['fallback']>(
      { value: anyJson, contributions: list(contribution) },
      [],
    ),
  },
  ['fallback'],
)

const retry = object<NonNullable<HookDefinition['retry']>>(
  {
    type: word(['fixed', 'exponential']),
    delayMs: number({ min: 0, max: 2 ** 31 - 1 }),
    maxAttempts: number({ isWhole: true, min: 1, max: 1000 }),
  },
  ['type', 'delayMs', 'maxAttempts'],
)

const holdBack = wordOr(
  ['all', 'sentence', 'none'],
  object<{ readonly window: number }>(
    { window: number({ isWhole: true, min: 1 }) },
    ['window'],
  ),
  'a window',
)

/** Whether it is a point is said with the rules of points. */
function pointName(known: readonly string[]): Shape<string> {
  const shape = text()
  const read: Shape<string>['read'] = (node, reading) =>
    shape.read(node, reading)
  return { schema: { enum: known }, read }
}

/** A hook as data, as `HookDefinition` says: the compiler compares the two. */
export function hookShape(vocabulary: Vocabulary): Shape<HookDefinition> {
  const rules = new Map(
    Object.values(vocabulary.points).map((point) => [
      point.name,
      pointRules(point),
    ]),
  )
  const condition = conditionShape(vocabulary.compileRegex)
  const shape = object<HookDefinition>(
    {
      name: described(
        hookName,
        'Stable: it appears in records. Default: made from what the hook is.',
      ),
      description: text({ mayBeEmpty: true }),
      on: described(
        pointName([...rules.keys()]),
        'The point at which it is asked.',
      ),
      match: described(
        matchShape(condition),
        'Which inputs it runs for: conditions by field, which all must hold.',
      ),
      priority: described(number(), 'Lower runs first; default 100.'),
      after: described(names, 'Runs after these hooks.'),
      before: described(names, 'Runs before these hooks.'),
      needs: described(names, 'Runs after these, and only if they completed.'),
      execution: described(
        word(['blocking', 'record', 'background']),
        'blocking: its answer counts. record: it starts after the decision. background: it is queued as a job.',
      ),
      timeoutMs: described(milliseconds, 'Default 30000.'),
      idempotent: described(flag, 'To run twice is as good as once.'),
      retry: described(retry, 'For background and idempotent hooks.'),
      onFailure: described(
        wordOr(['open', 'closed', 'required'], fallback, 'a fallback'),
        'What happens without a valid answer; by default what the point says.',
      ),
      mustAnswer: described(flag, 'Silence is a failure.'),
      capabilities: described(
        list(text()),
        'The kinds it contributes and the rights it uses.',
      ),
      writes: described(flag, 'Whether it may answer transform or replace.'),
      beforeWrites: described(
        flag,
        'It knows that hooks after it may change what it judged.',
      ),
      holdBack: described(holdBack, 'How much of a stream waits for it.'),
      visibility: described(
        word(['internal', 'debug', 'user_audit', 'user_visible']),
        'Who sees its runs; default: internal, only those with the right admin. The last two: everybody who may see the session.',
      ),
      mode: described(
        word(['enforce', 'evaluate']),
        'evaluate: it runs and is recorded, and nothing changes.',
      ),
      disabled: flag,
      handler: handlerShape(vocabulary.builtins),
    },
    ['on', 'handler'],
  )
  return {
    schema: { ...shape.schema, allOf: [...rules.values()].map(pointSchema) },
    read(node, reading) {
      const definition = shape.read(node, reading)
      if (definition === undefined) return undefined
      checkAtPoint(definition, rules, { node, reading })
      if (definition.name?.startsWith(anonymousPrefix)) {
        const problem = 'begins as names do that are made up; choose another'
        const code = 'wrong-value'
        refuseKey(node, reading, { key: 'name', code, problem })
      }
      return definition
    },
  }
}
