import fc from 'fast-check'
import { limits } from './read-answer.ts'

const anything = fc.anything({
  maxDepth: 3,
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
})

const types = [
  'proceed',
  'transform',
  'replace',
  'reject',
  'respond',
  'ask',
  'endTurn',
  'keepGoing',
] as const

const nearTypes = fc.constantFrom<unknown>(
  'Proceed',
  'proceed ',
  'allow',
  'approve',
  'constructor',
  'toString',
  '__proto__',
  ['proceed'],
  ['reject'],
  Symbol('proceed'),
  new String('proceed'),
  { toString: () => 'proceed' },
  true,
  null,
)

const text = fc.oneof(
  fc.constantFrom('', ' ', 'No.', ' because ', 'ja, 日本 👍'),
  fc.string({ unit: fc.constantFrom('a', 'é', ' ', '✓', '👍🏽') }),
)

/** What a payload may be: data, or what only looks like it. */
const payload = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 3, arbitrary: anything },
  { weight: 2, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        () => nested(limits.depth),
        () => nested(limits.depth + 1),
        () => Object.fromEntries(numbers(limits.keys + 1)),
        () => 'x'.repeat(limits.chars + 1),
        () => circular(),
        () => Object.assign([1, 2], { extra: 3 }),
        // biome-ignore lint/suspicious/noSparseArray: a hole is the point
        () => Object.assign([,], { extra: 1 }),
        () => Object.create(Array.prototype),
        () => Object.create({ inherited: 1 }),
        () => ({
          get lazy() {
            return 1
          },
        }),
        () => ({ [Symbol('hidden')]: 1 }),
        () => ({ toJSON: () => ({}) }),
        () => unreadable(),
        () => Object.freeze({ frozen: Object.freeze([1]) }),
        () => [Number.NaN, -0, 1n],
        () => JSON.parse('{"__proto__": {"bad": true}, "a": 1}'),
      )
      .map((make) => make()),
  },
)

/** An answer in shape; what it carries may be of the wrong kind, or missing. */
const formed = fc
  .record({
    type: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<unknown>(...types) },
      { weight: 1, arbitrary: nearTypes },
    ),
    value: payload,
    output: payload,
    reason: fc.oneof(text, text, payload),
    question: fc.oneof(text, text, payload),
    feedback: fc.oneof(text, text, payload),
    extra: anything,
    dropped: fc.subarray(
      ['value', 'output', 'reason', 'question', 'feedback', 'extra'],
      { maxLength: 3 },
    ),
  })
  .map(({ dropped, ...answer }) => {
    for (const key of dropped) Reflect.deleteProperty(answer, key)
    return answer
  })

/** The same answer in other forms; of these only the last two are answers. */
const forms = {
  'in a list': (answer: object) => [answer],
  'in a field': (answer: object) => ({ answer }),
  'from a function': (answer: object) => () => answer,
  'by inheritance': (answer: object) => Object.create(answer),
  'on a list': (answer: object) => Object.assign([], answer),
  'on a function': (answer: object) => Object.assign(() => {}, answer),
  'on a date': (answer: object) => Object.assign(new Date(0), answer),
  'on an error': (answer: object) => Object.assign(new Error('no'), answer),
  'on what inherits from lists': (answer: object) =>
    Object.assign(Object.create(Array.prototype), answer),
  'on an instance': (answer: object) =>
    Object.assign(new (class Answer {})(), answer),
  'as a map': (answer: object) => new Map(Object.entries(answer)),
  'as its keys': (answer: object) => Object.keys(answer).join(),
  'without a prototype': (answer: object) =>
    Object.assign(Object.create(null), answer),
  'as it is': (answer: object) => answer,
} satisfies Record<string, (answer: object) => unknown>

/** What a hook gives, with the form told apart so that a report can show it. */
export interface Given {
  readonly content: unknown
  readonly form: keyof typeof forms
}

export function giveIn({ content, form }: Given): unknown {
  const isAnswer = typeof content === 'object' && content !== null
  return isAnswer ? forms[form](content) : content
}

const formNames = Object.keys(forms) as Given['form'][]
const asItIs = fc.constant('as it is' as const)

/** Whatever a hook might give: answers, near misses and rubbish. */
export const anyAnswer: fc.Arbitrary<Given> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ content: formed, form: asItIs }) },
  {
    weight: 2,
    arbitrary: fc.record({
      content: formed,
      form: fc.constantFrom(...formNames),
    }),
  },
  { weight: 2, arbitrary: fc.record({ content: anything, form: asItIs }) },
)

function nested(levels: number): object {
  let value: object = {}
  for (let level = 1; level < levels; level++) value = { value }
  return value
}

function numbers(count: number): [string, number][] {
  return Array.from({ length: count }, (_, at) => [`k${at}`, at])
}

function circular(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}

/** Throws when it is read, except by the reports of failed examples. */
function unreadable(): object {
  const named = { [fc.toStringMethod]: () => 'unreadable()' }
  return new Proxy(named, {
    ownKeys: () => {
      throw new Error('unreadable')
    },
  })
}
