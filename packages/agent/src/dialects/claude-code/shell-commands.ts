import type { ShellWord } from './open-word.ts'
import { readShellWords } from './shell-words.ts'

/** The simple commands in a line for a shell, and whether it is all there is. */
export interface ShellCommands {
  /** Each as its words, without quotes, without what it sets before. */
  readonly commands: readonly string[]
  /** How those begin of which the rest is known only when they run. */
  readonly starts: readonly string[]
  /** It holds `$NAME`, `$(…)` or backticks, so that nobody knows what runs. */
  readonly isOpen: boolean
}

const maxLength = 100_000
const maxDepth = 5
/** Of a command that runs others: each of its words may begin one. */
const maxRunnerWords = 50
const maxRunnerLength = 4_000

interface Found {
  readonly commands: string[]
  readonly starts: string[]
  isOpen: boolean
}

/**
 * Takes a line apart at `&&`, `||`, `;`, `|`, `&` and ends of lines, with what
 * `$(…)` and backticks hold, and what programs run that are there to run
 * others. What it cannot read is undefined.
 */
export function readShellCommands(line: string): ShellCommands | undefined {
  const found: Found = { commands: [], starts: [], isOpen: false }
  return findIn(line, found, 0) ? found : undefined
}

/** Whether all of a line could be read. */
function findIn(line: string, found: Found, depth: number): boolean {
  if (line.length > maxLength || depth > maxDepth) return false
  const read = readShellWords(line)
  if (read === undefined) return false
  found.isOpen ||= read.isOpen
  return read.commands.every((written) => {
    const words = withoutPrefix(written)
    const [program] = words
    if (program === undefined) return true
    add(words, found)
    // A subscript goes on where a word would end.
    const isCut = /^\w+\[[^\]]*$/.test(program.text)
    return !isCut && findRunBy(words, found, depth)
  })
}

const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/
const openings: ReadonlySet<string> = new Set([
  ...['!', 'if', 'then', 'else', 'elif', 'do', 'while', 'until', 'coproc'],
])

/** What stands before a command without being part of it. */
function withoutPrefix(words: readonly ShellWord[]): readonly ShellWord[] {
  const [first] = words
  if (first === undefined) return words
  const isSign = !first.isQuoted && openings.has(first.text)
  const isPrefix = isSign || assignment.test(first.text)
  return isPrefix ? withoutPrefix(words.slice(1)) : words
}

function add(words: readonly ShellWord[], found: Found): void {
  const [program, ...rest] = words
  if (program === undefined) return
  const name = { ...program, text: nameOf(program) }
  const isPath = name.text !== program.text
  for (const form of isPath ? [words, [name, ...rest]] : [words]) {
    found.commands.push(onOneLine(form.map(({ text }) => text).join(' ')))
    found.starts.push(...startOf(form).map(onOneLine))
  }
}

function startOf(words: readonly ShellWord[]): readonly string[] {
  const at = words.findIndex(({ start }) => start !== undefined)
  if (at === -1) return []
  const known = words.slice(0, at).map(({ text }) => text)
  return [[...known, words[at]?.start ?? ''].join(' ')]
}

function onOneLine(text: string): string {
  return text.replace(/\s/g, ' ')
}

const shells: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish'],
])
/** Programs with an argument that a shell reads. */
const readers: ReadonlySet<string> = new Set([
  ...shells,
  ...['eval', 'trap', 'watch', 'su', 'runuser', 'ssh', 'script', 'parallel'],
  ...['flock', 'env'],
])
/** Programs that are there to run others. */
const runners: ReadonlySet<string> = new Set([
  ...readers,
  ...['command', 'builtin', 'exec', 'sudo', 'doas', 'nohup', 'setsid', 'time'],
  ...['timeout', 'gtimeout', 'nice', 'ionice', 'chrt', 'taskset', 'stdbuf'],
  ...['xargs', 'find', 'fd', 'chroot', 'unshare', 'strace', 'ltrace'],
  ...['busybox', 'toybox', 'systemd-run', 'bwrap', 'firejail', 'caffeinate'],
])

/** What a command runs that is there to run others. */
function findRunBy(
  words: readonly ShellWord[],
  found: Found,
  depth: number,
): boolean {
  const length = words.reduce((sum, { text }) => sum + text.length, 0)
  const isTooMuch = words.length > maxRunnerWords || length > maxRunnerLength
  let isRun = false
  let isRead = false
  for (const [at, word] of words.entries()) {
    if (isRun) add(withoutPrefix(words.slice(at)), found)
    const isScript = isRead && /[^\w./:=@%+,-]/.test(word.text)
    if (isScript && !findIn(word.text, found, depth + 1)) return false
    if (at > 0 && !isRun) return true
    const name = nameOf(word)
    isRun ||= runners.has(name)
    isRead ||= readers.has(name)
    // It reads what somebody else has written.
    const isShell = shells.has(name) && words.slice(at + 1).every(isOption)
    if (isShell || (isRun && isTooMuch)) return false
  }
  return true
}

function isOption({ text }: ShellWord): boolean {
  return text.startsWith('-')
}

/** Of a program, whatever folder it is in. */
function nameOf({ text }: ShellWord): string {
  return text.slice(text.lastIndexOf('/') + 1)
}
