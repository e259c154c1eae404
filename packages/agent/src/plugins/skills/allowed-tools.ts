import { posix } from 'node:path'
import { compileCondition } from 'hookline'
import type { ToolCall } from 'hookline/lifecycle'
import { startFoldersIn } from '../../paths/start-folder.ts'

type Rule = (call: Pick<ToolCall, 'tool' | 'args'>) => boolean

const rulePattern = /^([^()]+?)(?:\((.*)\))?$/s

/**
 * Rules such as `read`, `mcp__docs__*` and `Bash(git add:*)`: a tool, perhaps
 * with what its command or path begins with.
 */
export function compileAllowed(
  rules: readonly string[],
  aliases: Readonly<Record<string, string>>,
): Rule {
  const compiled = rules.map((rule): Rule => {
    const [, given = '', pattern] = rulePattern.exec(rule) ?? []
    const alias = Object.hasOwn(aliases, given) ? aliases[given] : undefined
    const isTool = compileCondition([given, alias ?? given])
    if (pattern === undefined) return ({ tool }) => isTool(tool)
    const isSubject = subjectRule(pattern)
    return ({ tool, args }) => isTool(tool) && isSubject(args)
  })
  return (call) => compiled.some((isAllowed) => isAllowed(call))
}

// With any of these one command is more than the words it begins with.
const shellSigns = /[;&|`$<>()\p{Cc}\\]/u

function subjectRule(pattern: string): (args: ToolCall['args']) => boolean {
  const prefix = /^(.*?):?\*$/s.exec(pattern)?.[1]
  return (args) => {
    const { command, path } = args
    if (typeof command === 'string') {
      // Where it runs is more than its words, as a `cd` in front of it would be.
      const isHere = startFoldersIn(args).every((folder) => folder === '.')
      if (prefix === undefined) return isHere && command === pattern
      const isPlain = !shellSigns.test(command)
      const isSame = command === prefix || command.startsWith(`${prefix} `)
      return isPlain && (prefix === '' || (isHere && isSame))
    }
    if (typeof path !== 'string') return false
    // Without detours: `docs/../x` is not in `docs`.
    return compileCondition(pattern)(posix.normalize(path))
  }
}
