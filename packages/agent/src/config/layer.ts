/** Where a file comes from, in the order in which hooks are listed. */
export const layers = [
  'managed',
  'user',
  'project',
  'local',
  'command-line',
] as const

export type ConfigLayer = (typeof layers)[number]

/** Whose word counts where two say something else: the first one's. */
const authority: readonly ConfigLayer[] = [
  'managed',
  // What somebody says now is meant for now; a project never says it.
  'command-line',
  'user',
  'project',
  'local',
]

export function authorityOf(layer: ConfigLayer): number {
  return authority.indexOf(layer)
}

/** It comes with the folder that is worked in, so that anybody can have written it. */
export function isProjectScope(layer: ConfigLayer): boolean {
  return layer === 'project' || layer === 'local'
}
