import {
  type HooksState,
  isProjectScope,
  losesFile,
} from '@hookline/agent/config'
import {
  configProblem,
  findingProblem,
  type ListedProblem,
} from './config-problem.ts'

/** Files of the project of which nothing is used, each with the first reason. */
export function brokenFiles({
  config,
  findings,
}: Pick<HooksState, 'config' | 'findings'>): ListedProblem[] {
  const { sources, problems, dialects } = config
  const used = new Set(
    sources.flatMap(({ file, state }) => (state === 'refused' ? [] : [file])),
  )
  const own = problems.filter(
    ({ layer, severity, file }) =>
      isProjectScope(layer) && severity === 'error' && !used.has(file),
  )
  const named = new Set(
    dialects.flatMap(({ file, layer }) =>
      isProjectScope(layer) ? [file] : [],
    ),
  )
  const foreign = findings.filter(
    (finding) => losesFile(finding) && named.has(finding.file),
  )
  const all = [...own.map(configProblem), ...foreign.map(findingProblem)]
  const byFile = Map.groupBy(all, ({ file }) => file)
  return [...byFile.values()].flatMap((found) => found.slice(0, 1))
}
