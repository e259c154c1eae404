import type { Point } from 'hookline'
import { points } from 'hookline/lifecycle'
import type { CatalogueEntry } from './catalogue.ts'
import { conditionSchema } from './condition-shape.ts'
import { fileSections } from './file-sections.ts'
import { hookShape, type Vocabulary } from './hook-shape.ts'
import type { ConfigSection } from './section.ts'
import type { JsonSchema } from './shape/shape.ts'
import { useShape } from './use-shape.ts'

export interface SchemaOptions {
  /** Default: those of the lifecycle. */
  readonly points?: Readonly<Record<string, Point>>
  readonly builtins?: readonly string[]
  /** What `use` may name; absent: anything. */
  readonly catalogue?: readonly CatalogueEntry[]
  readonly sections?: readonly ConfigSection[]
}

/** The JSON Schema of a file, made of what checks it. */
export function createConfigSchema(options: SchemaOptions = {}): JsonSchema {
  const vocabulary: Vocabulary = {
    points: options.points ?? points,
    builtins: options.builtins,
    entries: options.catalogue,
    // A schema compiles nothing.
    compileRegex: () => () => false,
  }
  const own = Object.values<ConfigSection>(fileSections(vocabulary))
  const sections = [...own, ...(options.sections ?? [])]
  const properties = sections.map(({ name, shape }) => [name, shape.schema])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'hookline.config',
    description: 'Hooks for AI agents as data, and what they need.',
    type: 'object',
    properties: Object.fromEntries(properties) as JsonSchema,
    additionalProperties: false,
    definitions: {
      hook: hookShape(vocabulary).schema,
      use: useShape(vocabulary.entries).schema,
      condition: conditionSchema,
    },
  }
}
