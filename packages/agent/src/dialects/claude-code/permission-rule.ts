import { homedir } from 'node:os'
import { join } from 'node:path'
import type { RegexEngine } from '../foreign-regex.ts'
import type { AliasedCall } from '../moment.ts'
import { readShellCommands } from './shell-commands.ts'
import { namesOf } from './subject.ts'

/** Whether a hook with this condition runs for a call. */
export type RuleTest = (call: AliasedCall, cwd: string) => boolean

const ruleForm = /^\s*([\w-]+)\s*(?:\(([\s\S]*)\))?\s*$/

/**
 * Compiles a permission rule such as `Bash(git *)`. It narrows when a hook
 * runs, so whatever cannot be read, the rule or the call, makes it run.
 */
export function compileRule(rule: string, regex: RegexEngine): RuleTest {
  const [, tool, spec] = ruleForm.exec(rule) ?? []
  if (tool === undefined) return () => true
  const isTool = (name: string) => namesOf(name).includes(tool)
  if (spec === undefined || spec === '' || spec === '*') {
    return ({ name }) => isTool(name)
  }
  const test = specTest(tool, spec, regex)
  return (call, cwd) => isTool(call.name) && test(call, cwd)
}

/** Whether the text has the form of a rule at all. */
export function isRule(rule: string): boolean {
  return ruleForm.test(rule)
}

const fileTools: ReadonlySet<string> = new Set([
  'Read',
  'Edit',
  'Write',
  'MultiEdit',
  'NotebookEdit',
])

function specTest(tool: string, spec: string, regex: RegexEngine): RuleTest {
  if (tool === 'Bash') return commandTest(spec, regex)
  if (fileTools.has(tool)) return fileTest(spec, regex)
  // What other tools mean by it is not known.
  return () => true
}

/** What a shell reads differently, so that it cannot be compared. */
const unreadable = /['"\\$`<>;|&(){}\n]/

function commandTest(given: string, regex: RegexEngine): RuleTest {
  if (unreadable.test(given)) return () => true
  const spec = given.trim().replace(/\s+/g, ' ')
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(spec)?.[1]
  const isFit =
    prefix === undefined ? globTest(spec, regex) : prefixTest(prefix, regex)
  const [head = ''] = (prefix ?? spec).split('*')
  const mayFit = (start: string) =>
    head.startsWith(start) || start.startsWith(head)
  const isLong = /\s/.test((prefix ?? spec).trim())
  return ({ input }) => {
    const { command } = input
    if (typeof command !== 'string') return true
    const read = readShellCommands(command)
    if (read === undefined || (isLong && read.isOpen)) return true
    return read.commands.some(isFit) || read.starts.some(mayFit)
  }
}

/** The command itself, and the command with anything after it. */
function prefixTest(
  prefix: string,
  regex: RegexEngine,
): (text: string) => boolean {
  const isBare = globTest(prefix, regex)
  const hasMore = globTest(`${prefix} *`, regex)
  return (text) => isBare(text) || hasMore(text)
}

/** `*` is anything. A pattern that cannot be read fits everything. */
function globTest(glob: string, regex: RegexEngine): (text: string) => boolean {
  const pattern = glob.split('*').map(escaped).join('[\\s\\S]*')
  return testOf(`^${pattern}$`, regex)
}

function fileTest(spec: string, regex: RegexEngine): RuleTest {
  return ({ input }, cwd) => {
    const path = input['file_path'] ?? input['notebook_path']
    if (typeof path !== 'string') return true
    return testOf(`^${pathPattern(absolute(spec, cwd))}$`, regex)(path)
  }
}

/** `//x` is `/x` of the system, `~/x` of the user, all else of the folder. */
function absolute(spec: string, cwd: string): string {
  if (spec.startsWith('//')) return spec.slice(1)
  if (spec.startsWith('~/')) return join(homedir(), spec.slice(2))
  const relative = spec.replace(/^\.?\//, '')
  return `${cwd.replace(/\/$/, '')}/${relative}`
}

function pathPattern(glob: string): string {
  return glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      return part === '?' ? '[^/]' : escaped(part)
    })
    .join('')
}

function testOf(
  pattern: string,
  regex: RegexEngine,
): (text: string) => boolean {
  const compiled = regex.compile(pattern)
  return 'problem' in compiled ? () => true : compiled.test
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
