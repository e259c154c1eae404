import type { CodeAnswer } from './code-messages.ts'
import { type ConfigNode, startOfFile } from './node.ts'
import { nodeOfData, onePlace } from './read/data-node.ts'
import type { Report } from './report.ts'
import { type CodeLimits, runCodeFile } from './run-code-file.ts'

const defaultLimits: CodeLimits = { maxMs: 10_000, maxMemoryMb: 512 }

/** Runs files of code, each once for all who share it and as long as it stays as it is. */
export interface CodeRuns {
  run(file: string, hash: string): Promise<CodeAnswer>
  /** It was changed while it was run: whose answer that is nobody knows. */
  forget(file: string): void
}

export function createCodeRuns(limits: Partial<CodeLimits> = {}): CodeRuns {
  const known = new Map<string, { hash: string; answer: Promise<CodeAnswer> }>()
  return {
    run(file, hash) {
      const before = known.get(file)
      if (before?.hash === hash) return before.answer
      const answer = runCodeFile(file, { ...defaultLimits, ...limits })
      known.set(file, { hash, answer })
      return answer
    },
    forget: (file) => void known.delete(file),
  }
}

/** What a file of code exports as `default` or `config`; it is never run in this process. */
export async function readCode(
  { file, hash }: { readonly file: string; readonly hash: string },
  runs: CodeRuns,
  report: Report,
): Promise<ConfigNode | undefined> {
  const answer = await runs.run(file, hash)
  if (answer.type === 'data') {
    return nodeOfData(answer.data, onePlace(startOfFile), report)
  }
  if (answer.type === 'failed') {
    const { message, line, column } = answer
    const place = { line, column }
    report.add({ code: 'code-failed', at: place, path: [], message })
    return undefined
  }
  for (const problem of answer.problems) report.add(problem)
  return undefined
}
