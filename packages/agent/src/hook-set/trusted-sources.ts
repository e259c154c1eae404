import type { ConfigLayer } from '../config/layer.ts'
import type { Inspection, Trust, TrustItem } from '../trust/trust.ts'
import type { TrustSource } from '../trust/trust-source.ts'

/** Layers that come with a project, and not from whoever runs it. */
export function isOfProject(layer: ConfigLayer | 'plugin'): boolean {
  return layer === 'project' || layer === 'local'
}

/** What becomes of something that came with the project. */
export type Standing =
  /** It may run, as long as it stays as it is. */
  | 'trusted'
  /** It was trusted once, or may have been: a gate refuses in its place. */
  | 'held'
  /** Nobody has ever trusted it: it does nothing at all. */
  | 'inert'

/** What of a project may run, asked once for a whole configuration. */
export class TrustedSources {
  readonly #items: ReadonlyMap<TrustSource, TrustItem>
  readonly inspection: Inspection

  constructor(trust: Trust, project: string, sources: readonly TrustSource[]) {
    this.inspection = trust.inspect(project, sources)
    const { items } = this.inspection
    this.#items = new Map(
      items.flatMap((item, index) => {
        const source = sources[index]
        return source === undefined ? [] : [[source, item] as const]
      }),
    )
  }

  standingOf(source: TrustSource): Standing {
    const state = this.#items.get(source)?.state ?? 'untrusted'
    if (state === 'trusted') return 'trusted'
    // What cannot be looked up may have been trusted.
    return state === 'changed' || this.inspection.isUnknown ? 'held' : 'inert'
  }

  hashOf(source: TrustSource): string | undefined {
    return this.#items.get(source)?.hash
  }

  /** All that waits for somebody to look at it. */
  get untrusted(): readonly TrustItem[] {
    return this.inspection.items.filter(({ state }) => state !== 'trusted')
  }
}
