import type { EntryDefinition, HookDefinition } from '../handlers/definition.ts'
import { isObserver } from './check-at-point.ts'
import { hookShape, type Vocabulary } from './hook-shape.ts'
import { usesFolder } from './meaning.ts'
import type { ConfigNode, Place } from './node.ts'
import { entryOf } from './node.ts'
import { pointRules } from './point-rules.ts'
import { scalarOf, wrongType } from './shape/scalars.ts'
import { below, type Reading, type Shape } from './shape/shape.ts'
import { looksLikeUse, nameSchema, useShape } from './use-shape.ts'

export interface HookEntry {
  readonly definition: EntryDefinition
  /** It has paths that start at the folder of its file. */
  readonly usesFolder: boolean
  readonly at: Place
  /** In the data. */
  readonly path: readonly (string | number)[]
}

/**
 * The hooks of a file. What is wrong with one whose answer counts takes the
 * file out; one that only watches is left out alone.
 */
export function hooksShape(
  vocabulary: Vocabulary,
): Shape<readonly HookEntry[]> {
  const hook = hookShape(vocabulary)
  const used = useShape(vocabulary.entries)
  const observes = (node: ConfigNode) => {
    const use = textAt(node, 'use')
    if (use !== undefined) {
      const entry = vocabulary.entries?.find(({ name }) => name === use)
      return entry?.isObserver === true
    }
    const on = textAt(node, 'on')
    const point = on === undefined ? undefined : ownPoint(vocabulary, on)
    const execution = textAt(node, 'execution')
    return isObserver(
      // Only the words that make an observer are looked for.
      { execution } as Pick<HookDefinition, 'execution'>,
      point && pointRules(point),
    )
  }
  const readEntry = (node: ConfigNode, reading: Reading): HookEntry[] => {
    const { report, path } = reading
    const mark = report.count
    const shape: Shape<EntryDefinition> = looksLikeUse(node) ? used : hook
    const definition = shape.read(node, reading)
    if (report.count > mark || definition === undefined) {
      if (observes(node)) report.soften(mark, 'The hook is left out.')
      return []
    }
    const { entries } = vocabulary
    const isOfFolder = usesFolder(definition, entries)
    return [{ definition, usesFolder: isOfFolder, at: node.at, path }]
  }
  return {
    schema: {
      description: 'Hooks as data.',
      type: 'array',
      items: {
        // Editors offer it for an entry that has no key yet.
        properties: { use: nameSchema(vocabulary.entries) },
        if: { type: 'object', required: ['use'] },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: { $ref: '#/definitions/use' },
        else: { $ref: '#/definitions/hook' },
      },
    },
    read(node, reading) {
      if (node.type !== 'list') return wrongType(node, reading, 'a list')
      return node.items.flatMap((item, index) => {
        return readEntry(item, below(reading, index))
      })
    },
  }
}

function textAt(node: ConfigNode, key: string): string | undefined {
  const written = entryOf(node, key)
  const value = written && scalarOf(written)
  return typeof value === 'string' ? value : undefined
}

function ownPoint({ points }: Vocabulary, name: string) {
  return Object.values(points).find((point) => point.name === name)
}
