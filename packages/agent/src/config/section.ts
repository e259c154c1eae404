import type { ConfigLayer } from './layer.ts'
import type { Place } from './node.ts'
import type { Shape } from './shape/shape.ts'

/** A key at the top of a file. */
export interface ConfigSection<T = unknown> {
  readonly name: string
  readonly shape: Shape<T>
  /** Whose files may have it; absent: all. */
  readonly layers?: readonly ConfigLayer[]
  /** What a project says there counts when its file is trusted; default false. */
  readonly needsTrust?: boolean
}

/** What a file says in one section. */
export interface SectionValue {
  readonly name: string
  readonly value: unknown
  readonly layer: ConfigLayer
  readonly file: string
  readonly at: Place
}
