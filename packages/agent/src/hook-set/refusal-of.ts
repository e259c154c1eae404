import type { LoadedConfig } from '../config/loaded-config.ts'
import { isOfProject } from './trusted-sources.ts'

/** Why a configuration cannot be used at all. */
export function refusalOf(
  { fatal, sources, problems }: LoadedConfig,
  {
    isFirst,
    isKnown,
  }: { readonly isFirst: boolean; readonly isKnown: boolean },
): string | undefined {
  if (fatal !== undefined) return fatal.message
  // In a project that nobody trusts no gate is missed.
  const refused = sources.find(
    ({ state, layer }) =>
      state === 'refused' && (isKnown || !isOfProject(layer)),
  )
  // Later on, what the file said before is still in force.
  if (refused === undefined || !isFirst) return undefined
  const problem = problems.find(({ file }) => file === refused.file)
  if (problem === undefined) return `"${refused.file}" cannot be used.`
  const { file, line, column, message } = problem
  return `${file}:${line}:${column}: ${message}`
}
