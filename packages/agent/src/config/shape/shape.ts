import type { JsonObject } from 'hookline/lifecycle'
import type { ConfigNode } from '../node.ts'
import type { Found, Path } from '../problem.ts'
import type { Report } from '../report.ts'

/** A JSON Schema of draft 7, which editors know best. */
export type JsonSchema = JsonObject

/**
 * What a part of a file has to be, said once: `read` checks a file by it, and
 * `schema` tells editors.
 */
export interface Shape<T = unknown> {
  /** Reports what is wrong; then there is no value, or not all of it. */
  read(node: ConfigNode, reading: Reading): T | undefined
  readonly schema: JsonSchema
}

/** Where a reader is, and whom it tells. */
export interface Reading {
  readonly report: Report
  readonly path: Path
}

export function below(reading: Reading, key: string | number): Reading {
  return { report: reading.report, path: [...reading.path, key] }
}

/** Reports a problem with the node that is being read. */
export function refuse(
  node: ConfigNode,
  { report, path }: Reading,
  found: Pick<Found, 'code' | 'message' | 'suggestion'>,
): undefined {
  report.add({ ...found, at: node.at, path })
  return undefined
}

/** The same shape with a sentence for editors. */
export function described<T>(shape: Shape<T>, description: string): Shape<T> {
  // Beside a reference nothing else counts in draft 7.
  const schema = Object.hasOwn(shape.schema, '$ref')
    ? { description, allOf: [shape.schema] }
    : { description, ...shape.schema }
  return { read: (node, reading) => shape.read(node, reading), schema }
}
