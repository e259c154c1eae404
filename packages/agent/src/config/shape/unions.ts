import { entryOf } from '../node.ts'
import { subject, word, wrongType } from './scalars.ts'
import { below, refuse, type Shape } from './shape.ts'

/** Either a word or something that is more than a scalar. */
export function wordOr<const W extends string, T>(
  words: readonly W[],
  richer: Shape<T>,
  kind: string,
): Shape<W | T> {
  const plain = word(words)
  return {
    schema: { anyOf: [plain.schema, richer.schema] },
    read(node, reading) {
      if (node.type === 'map') return richer.read(node, reading)
      if (node.type === 'scalar' && typeof node.value === 'string') {
        return plain.read(node, reading)
      }
      return wrongType(node, reading, `${words.join(', ')} or ${kind}`)
    },
  }
}

type Variants<T extends { readonly type: string }> = {
  readonly [K in T['type']]: Shape<Extract<T, { readonly type: K }>>
}

/** One of several objects, told apart by their `type`. */
export function byType<T extends { readonly type: string }>(
  variants: Variants<T>,
): Shape<T> {
  // The compiler does not see that the keys are the types.
  const types = Object.keys(variants) as T['type'][]
  const type = word(types)
  return {
    schema: {
      type: 'object',
      required: ['type'],
      properties: { type: type.schema },
      allOf: types.map((name) => ({
        if: { properties: { type: { const: name } }, required: ['type'] },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: variants[name].schema,
      })),
    },
    read(node, reading) {
      if (node.type !== 'map') return wrongType(node, reading, 'an object')
      const named = entryOf(node, 'type')
      if (named === undefined) {
        const message = `${subject(reading)} has no \`type\`; add one of: ${types.join(', ')}.`
        return refuse(node, reading, { code: 'missing-key', message })
      }
      const name = type.read(named, below(reading, 'type'))
      if (name === undefined) return undefined
      return variants[name].read(node, reading)
    },
  }
}
