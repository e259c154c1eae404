import type { FileResult, LoadedFile, RefusedFile } from './file-content.ts'
import type { ConfigSource } from './loaded-config.ts'
import { startOfFile } from './node.ts'
import { type ConfigProblem, quote } from './problem.ts'
import { Report } from './report.ts'

/** What is used of the files of all layers. */
export interface Accepted {
  readonly files: readonly LoadedFile[]
  readonly problems: readonly ConfigProblem[]
  readonly sources: readonly ConfigSource[]
}

interface AcceptOptions {
  readonly maxHooks: number
  /** What files said when they were last right, by file. */
  readonly lastGood: ReadonlyMap<string, LoadedFile>
  /** Files that have gone are forgotten; managed ones never are. */
  readonly forgetsMissing: boolean
}

interface Choice {
  readonly result: FileResult
  file: LoadedFile | undefined
  problems: readonly ConfigProblem[]
}

/**
 * Takes the files that are right and fit together. In place of one that is
 * not, what it said before stays; one that has gone stays, too.
 */
export function acceptFiles(
  results: readonly FileResult[],
  { maxHooks, lastGood, forgetsMissing }: AcceptOptions,
): Accepted {
  const taken = new Taken(maxHooks)
  const choices = results.map((result): Choice => {
    const { problems } = result
    return { result, file: undefined, problems }
  })
  for (const choice of choices) {
    const { result } = choice
    if (result.type !== 'loaded') continue
    const problem = taken.take(result)
    if (problem === undefined) choice.file = result
    else choice.problems = [...result.problems, problem]
  }
  // After the others: a name that another file has by now is that one's.
  for (const choice of choices) {
    if (choice.file !== undefined) continue
    const { type, candidate } = choice.result
    const isForgotten =
      forgetsMissing && type === 'missing' && candidate.layer !== 'managed'
    const before = lastGood.get(candidate.file)
    if (before === undefined || isForgotten) continue
    const rest = taken.takeRest(before)
    // All that it said is in other files by now: it was renamed.
    if (type === 'missing' && rest.isMoved) continue
    choice.file = rest.file
    choice.problems = [...choice.problems, ...gone(choice.result)]
  }
  return {
    files: choices.flatMap(({ file }) => file ?? []),
    problems: choices.flatMap(({ problems }) => problems),
    sources: choices.flatMap(sourceOf),
  }
}

/** The names that the files of a layer have used, and how many hooks there are. */
class Taken {
  readonly #maxHooks: number
  readonly #meanings = new Map<string, { file: string; meaning: string }>()
  #count = 0

  constructor(maxHooks: number) {
    this.#maxHooks = maxHooks
  }

  /** All of a file, or nothing and why. */
  take(file: LoadedFile): ConfigProblem | undefined {
    const { candidate, hooks } = file
    const report = new Report(candidate.file, candidate.layer)
    if (this.#count + hooks.length > this.#maxHooks) {
      const message = `There are more than ${this.#maxHooks} hooks with those of this file; remove some.`
      const code = 'too-many-hooks'
      report.add({ code, at: startOfFile, path: ['hooks'], message })
    }
    for (const { name, meaning, line, column, path } of hooks) {
      const other = this.#meanings.get(keyOf(file, name))
      if (other === undefined || other.meaning === meaning) continue
      const message = `A hook is named ${quote(name)} in ${quote(other.file)} as well, which is of the same layer; rename one.`
      const at = { line, column }
      report.add({ code: 'duplicate-name', at, path, message })
    }
    const [problem] = report.problems()
    if (problem === undefined) this.#add(file)
    return problem
  }

  /** What of a file nobody else says by now. */
  takeRest(file: LoadedFile) {
    const hooks = file.hooks.filter(({ name }) => {
      return !this.#meanings.has(keyOf(file, name))
    })
    const rest: LoadedFile = { ...file, hooks, problems: [] }
    this.#add(rest)
    const others = [file.disable, file.dialects, file.sections]
    const isMoved =
      file.hooks.length > 0 &&
      [hooks, ...others].every((list) => list.length === 0)
    return { file: rest, isMoved }
  }

  #add(file: LoadedFile): void {
    this.#count += file.hooks.length
    for (const { name, meaning } of file.hooks) {
      const entry = { file: file.candidate.file, meaning }
      this.#meanings.set(keyOf(file, name), entry)
    }
  }
}

function keyOf({ candidate }: LoadedFile, name: string): string {
  return `${candidate.layer} ${name}`
}

function gone({ type, candidate }: FileResult): readonly ConfigProblem[] {
  if (type !== 'missing') return []
  const report = new Report(candidate.file, candidate.layer)
  const message = 'It has gone; what it said last stays in force.'
  report.add({ code: 'missing-file', at: startOfFile, path: [], message })
  return report.problems()
}

function sourceOf({ result, file }: Choice): readonly ConfigSource[] {
  const { candidate, hash } = result
  if (result.type === 'missing' && file === undefined) return []
  return [
    {
      file: candidate.file,
      layer: candidate.layer,
      ...(hash !== undefined && { hash }),
      state: stateOf(result, file),
    },
  ]
}

function stateOf(
  { type, hash }: LoadedFile | RefusedFile,
  file: LoadedFile | undefined,
): ConfigSource['state'] {
  if (file === undefined) return type === 'needs-trust' ? type : 'refused'
  return type === 'loaded' && file.hash === hash ? 'loaded' : 'kept'
}
