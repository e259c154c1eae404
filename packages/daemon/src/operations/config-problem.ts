import type {
  AssemblyProblem,
  ConfigProblem,
  Finding,
} from '@hookline/agent/config'

/** Something that is wrong with a file, as every listing says it. */
export interface ListedProblem {
  file: string
  line: number
  column?: number
  code: string
  message: string
}

/** What is wrong with a hook as such has no code of its own. */
export function configProblem(
  problem: ConfigProblem | AssemblyProblem,
): ListedProblem {
  if ('code' in problem) {
    const { file, line, column, code, message } = problem
    return { file, line, column, code, message }
  }
  const { hook, file, line, message } = problem
  return { file, line, code: 'hook', message: `Hook "${hook}": ${message}` }
}

export function findingProblem({
  file,
  place,
  code,
  message,
  suggestion,
}: Finding): ListedProblem {
  const { line, column } = place
  const whole = suggestion === undefined ? message : `${message} ${suggestion}`
  return { file, line, column, code, message: whole }
}
