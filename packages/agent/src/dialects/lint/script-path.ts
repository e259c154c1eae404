import { resolve } from 'node:path'
import type { ForeignCommand, ForeignHook } from '../dialect.ts'

const interpreters =
  /^(?:.*\/)?(?:bash|sh|zsh|dash|python3?|node|bun|deno|ruby|perl|tsx|ts-node|uv|npx|env)$/
const hasExtension = /\.(?:sh|bash|py|js|mjs|cjs|ts|mts|rb|pl)$/

export interface ScriptPath {
  readonly path: string
  /** No interpreter is named, so that it has to be executable. */
  readonly isProgram: boolean
}

/** The file that a command runs, if it can be told from its words. */
export function scriptPathOf(
  { source }: ForeignHook,
  { command, args, cwd = '' }: ForeignCommand,
  projectDir: string,
): ScriptPath | undefined {
  const words = args === undefined ? wordsOf(command) : [command, ...args]
  const [first = '', ...rest] = words
  const isRun = interpreters.test(first)
  const name = isRun ? rest.find((word) => hasExtension.test(word)) : first
  if (name === undefined) return undefined
  const filled = name
    .replace(
      variable('(?:CLAUDE|GEMINI|CURSOR|COPILOT)_PROJECT_DIR'),
      () => projectDir,
    )
    .replace(
      variable('CLAUDE_PLUGIN_ROOT'),
      (whole) => source.plugin?.root ?? whole,
    )
  const isPath = filled.includes('/') || (isRun && hasExtension.test(filled))
  if (!isPath || /[$`*~]/.test(filled)) return undefined
  return { path: resolve(projectDir, cwd, filled), isProgram: !isRun }
}

/** Plain, in brackets, or with what stands in for it where it is not set. */
function variable(name: string): RegExp {
  return new RegExp(`\\$(?:${name}\\b|\\{${name}(?::?[-=][^}]*)?\\})`, 'g')
}

/** The words of the first command, without their quotes. */
function wordsOf(command: string): readonly string[] {
  const [line = ''] = command.trim().split('\n')
  const words = line.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'])+/g) ?? []
  const end = words.findIndex((word) => /^(?:&&|\|\|?|;)$/.test(word))
  const own = end === -1 ? words : words.slice(0, end)
  const plain = own.map((word) => word.replace(/["']/g, '').replace(/;$/, ''))
  const start = plain.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  return start === -1 ? [] : plain.slice(start)
}
