import {
  type ConfigLayer,
  type HooksState,
  isProjectScope,
  losesFile,
} from '@hookline/agent/config'
import {
  configProblem,
  findingProblem,
  type ListedProblem,
} from './config-problem.ts'

export interface BrokenFile extends ListedProblem {
  /** Who named it. */
  layer: ConfigLayer
}

/**
 * Files of which nothing is used, each with the first reason. Without a file of
 * the user's own, or a managed one, nothing starts, so that such ones are those
 * of other products.
 */
export function brokenFiles({
  config,
  findings,
  keptFiles,
}: Pick<HooksState, 'config' | 'findings' | 'keptFiles'>): BrokenFile[] {
  const { sources, problems, dialects } = config
  const used = new Set(
    sources.flatMap(({ file, state }) => (state === 'refused' ? [] : [file])),
  )
  const own = problems.filter(
    ({ layer, severity, file }) =>
      isProjectScope(layer) && severity === 'error' && !used.has(file),
  )
  const named = new Map(dialects.map(({ file, layer }) => [file, layer]))
  const foreign = findings.flatMap((finding) => {
    const layer = named.get(finding.file)
    const isUsed = !losesFile(finding) || keptFiles.includes(finding.file)
    if (layer === undefined || isUsed) return []
    return [{ ...findingProblem(finding), layer }]
  })
  const all = [
    ...own.map((problem) => ({
      ...configProblem(problem),
      layer: problem.layer,
    })),
    ...foreign,
  ]
  const byFile = Map.groupBy(all, ({ file }) => file)
  return [...byFile.values()].flatMap((found) => found.slice(0, 1))
}

/** Those of the project: of its hooks nobody can say what they would refuse. */
export function brokenFilesOfProject(
  state: Parameters<typeof brokenFiles>[0],
): BrokenFile[] {
  return brokenFiles(state).filter(({ layer }) => isProjectScope(layer))
}
