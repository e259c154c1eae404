import { authorityOf, type SectionValue } from '@hookline/agent/config'
import type { WrittenAgent } from '../sections/agents-section.ts'
import type { WrittenDaemon } from '../sections/daemon-section.ts'
import type { WrittenModels } from '../sections/models-section.ts'
import type { WrittenPlugins } from '../sections/plugins-section.ts'
import type { WrittenPolicy } from '../sections/policy-section.ts'
import type { WrittenStore } from '../sections/store-section.ts'

/** What a section holds, by its name. */
export interface Written {
  readonly agents: readonly WrittenAgent[]
  readonly models: WrittenModels
  readonly policy: WrittenPolicy
  readonly plugins: WrittenPlugins
  readonly store: WrittenStore
  readonly daemon: WrittenDaemon
}

/** What one file says in one section. */
export type WrittenBy<T> = Omit<SectionValue, 'value'> & { readonly value: T }

/** What files say in a section, those first whose word counts more. */
export function writtenIn<K extends keyof Written>(
  sections: readonly SectionValue[],
  name: K,
): readonly WrittenBy<Written[K]>[] {
  const found = sections.filter((section) => section.name === name)
  const sorted = found.toSorted(
    (one, other) => authorityOf(one.layer) - authorityOf(other.layer),
  )
  // A section gives what its shape reads.
  return sorted as unknown as readonly WrittenBy<Written[K]>[]
}

/** For every key, the first word about it. */
export function firstOfEach<T extends object>(values: readonly T[]): T {
  // Read backwards, the first one is the last to write.
  return Object.assign({}, ...values.toReversed()) as T
}
