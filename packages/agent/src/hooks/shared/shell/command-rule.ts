import { programName } from './inner-commands.ts'
import type { ShellCommand } from './reading.ts'
import {
  any,
  type Certainty,
  fits,
  isKnown,
  strongest,
  type Word,
  weakest,
} from './word.ts'
import { classNames, fitsClass, plainPath } from './word-classes.ts'

/** Says of commands whether they are what somebody wrote down. */
export interface CommandRule {
  readonly source: string
  /** The program it is about, if it is about one alone. */
  readonly program?: string
  /** It says more than the name of a program. */
  readonly isTelling: boolean
  /** Whether a command does this, flags in any order, among other things. */
  readonly matches: (command: ShellCommand) => Certainty
  /** Whether it is this and nothing else, word by word. */
  readonly isExactly: (command: ShellCommand) => boolean
}

/** Why a pattern is none; nothing: it is one. */
export function problemOfRule(source: string): string | undefined {
  const [first, ...rest] = wordsOf(source)
  if (first === undefined) return 'it is empty'
  if (first === '>' && rest.length !== 1) return 'after ">" stands one path'
  for (const word of [first, ...rest]) {
    const named = /\{(\w+)\}/.exec(word)?.[1]
    if (named !== undefined && !classNames.includes(named)) {
      return `there is no {${named}}, only ${classNames.join(', ')}`
    }
  }
  return undefined
}

/** A pattern such as `git push --force`, `rm -r {root}` or `> {startup}`. */
export function compileRule(source: string): CommandRule {
  const [program = '*', ...rest] = wordsOf(source)
  const isOpen = rest.at(-1) === '*'
  const given = isOpen ? rest.slice(0, -1) : rest
  const flags = given.filter((word) => /^-./.test(word))
  const operands = given.filter((word) => !/^-./.test(word))
  const isOne = /^[\w.+-]+$/.test(program)
  return {
    source,
    ...(isOne && { program: program.toLowerCase() }),
    isTelling: given.length > 0 && (isOne || program === '>'),
    matches(command) {
      if (program === '>') return writesTo(command, operands[0] ?? '*')
      const [first, ...args] = withReads(command)
      if (first === undefined) return 'no'
      const isProgram = fitsProgram(first, program.toLowerCase())
      if (isProgram === 'no') return 'no'
      if (first.isMany || first.text === any) return 'maybe'
      const used = new Set<Word>()
      const hasFlags = flags.map((flag) => fitsFlag(args, flag, used))
      if (hasFlags.includes('no')) return 'no'
      const left = args.filter((word) => !used.has(word))
      const isVague = program === '*'
      const has = fitsOperands(left, operands, { command, isVague })
      return weakest([isProgram, ...hasFlags, has])
    },
    isExactly({ words, redirects, settings = [] }) {
      const writes = redirects.some(({ kind }) => kind === 'write')
      if (writes || settings.length > 0 || !words.every(isKnownOrNames))
        return false
      const [first, ...args] = words
      if (first === undefined || !isKnown(first)) return false
      const isSame = isOpen
        ? args.length >= given.length
        : args.length === given.length
      const isProgram = fits(first.text, program) === 'yes'
      const areArgs = given.every((one, index) => {
        const arg = args[index]
        return arg !== undefined && fits(arg.text, one) === 'yes'
      })
      return isSame && isProgram && areArgs
    },
  }
}

const isKnownOrNames = (word: Word) => isKnown(word) || word.isNames

const wordsOf = (source: string): readonly string[] =>
  source.split(/\s+/).filter((word) => word !== '')

function withReads({ words, redirects }: ShellCommand): readonly Word[] {
  const read = redirects.filter(({ kind }) => kind === 'read')
  return [...words, ...read.map(({ target }) => target)]
}

function writesTo(command: ShellCommand, pattern: string): Certainty {
  const writes = command.redirects.filter(({ kind }) => kind === 'write')
  return strongest(
    writes.map(({ target }) => fitsOperand(target, pattern, command)),
  )
}

function fitsProgram(word: Word, pattern: string): Certainty {
  const name = programName(word)
  if (word.text.includes(any))
    return fits(name, pattern) === 'no' ? 'no' : 'maybe'
  return strongest([
    fits(name, pattern),
    fits(word.text.toLowerCase(), pattern),
  ])
}

const longNames: Readonly<Record<string, readonly string[]>> = {
  r: ['recursive'],
  R: ['recursive'],
  f: ['force'],
  d: ['delete'],
  i: ['in-place'],
}

/** All letters of `-rf`, or `--force`; short, long and shortened. */
function fitsFlag(
  args: readonly Word[],
  flag: string,
  used: Set<Word>,
): Certainty {
  if (flag.startsWith('--'))
    return fitsOneFlag(args, { long: flag.slice(2) }, used)
  const letters = flag.slice(1).split('')
  return weakest(letters.map((short) => fitsOneFlag(args, { short }, used)))
}

function fitsOneFlag(
  args: readonly Word[],
  flag: { readonly short?: string; readonly long?: string },
  used: Set<Word>,
): Certainty {
  const { letters, names } = formsOf(flag)
  for (const { text } of args) {
    const [, cluster] = /^-([^-\s=][^=]*)/.exec(text) ?? []
    if (cluster && letters.some((one) => cluster.includes(one))) return 'yes'
    const [, name] = /^--([^=]+)/.exec(text) ?? []
    const isNamed = names.some(
      (one) => name && (one.startsWith(name) || fits(name, one) !== 'no'),
    )
    if (isNamed) return 'yes'
  }
  const hidden = args.find(
    (word) => !isKnown(word) && !word.isNames && fits(word.text, '-*') !== 'no',
  )
  if (hidden === undefined) return 'no'
  if (!hidden.isMany) used.add(hidden)
  return 'maybe'
}

/** The letters and the long names of one flag. */
function formsOf({ short = '', long }: { short?: string; long?: string }) {
  if (long === undefined) {
    const letters = short.toLowerCase() === 'r' ? ['r', 'R'] : [short]
    return { letters, names: longNames[short] ?? [] }
  }
  const letters = Object.keys(longNames).filter((one) =>
    longNames[one]?.includes(long),
  )
  return { letters, names: [long] }
}

/** Whether enough of a word is known for a rule about every program. */
const isTold = (word: Word) =>
  isKnown(word) ||
  /^(?:~|\/(?:home|root|etc|proc|Users|run|var)\b)/.test(word.text)

interface OperandOptions {
  readonly command: ShellCommand
  /** The rule is about every program: what is wholly unknown says nothing. */
  readonly isVague: boolean
}

function fitsOperands(
  args: readonly Word[],
  patterns: readonly string[],
  { command, isVague }: OperandOptions,
): Certainty {
  let from = 0
  let result: Certainty = 'yes'
  for (const [index, pattern] of patterns.entries()) {
    const isWord = index === 0 && /^[\w-]+$/.test(pattern)
    let best: Certainty = 'no'
    let next = from
    for (let at = from; at < args.length; at++) {
      const word = args[at]
      if (word === undefined) break
      if (isVague && !isTold(word)) continue
      const found = fitsOperand(word, pattern, command)
      if (found === 'yes' || (found === 'maybe' && best === 'no')) {
        best = found
        next = word.isMany ? at : at + 1
      }
      if (found === 'yes') break
      // The name of what to do stands first, but for options and their values.
      const isAfterFlag = at > 0 && /^-/.test(args[at - 1]?.text ?? '')
      const goesOn = /^-/.test(word.text) || isAfterFlag || word.isMany
      if (isWord && !goesOn) break
    }
    if (best === 'no') return 'no'
    result = weakest([result, best])
    from = next
  }
  return result
}

function fitsOperand(
  word: Word,
  pattern: string,
  command: ShellCommand,
): Certainty {
  const [, prefix = '', name] = /^(.*?)\{(\w+)\}$/.exec(pattern) ?? []
  if (name === undefined) return fitsText(word, pattern, command)
  const { text } = word
  if (prefix !== '') {
    if (!text.startsWith(prefix)) return text.startsWith(any) ? 'maybe' : 'no'
    return fitsClass(name, { ...word, text: text.slice(prefix.length) })
  }
  return strongest(
    pathsIn(text).flatMap((one) => [
      fitsClass(name, { ...word, text: one }),
      ...fromFolders(one, command, (path) =>
        fitsClass(name, { ...word, text: path }),
      ),
    ]),
  )
}

/** As it is written, and, of a path, as it can be written as well. */
function fitsText(
  { text }: Word,
  pattern: string,
  command: ShellCommand,
): Certainty {
  const asWritten = fits(text, pattern)
  if (asWritten === 'yes' || !pattern.includes('/')) return asWritten
  const judge = (path: string) => fits(plainPath(path), pattern)
  return strongest([
    asWritten,
    judge(text),
    ...fromFolders(text, command, judge),
  ])
}

/** A path may stand behind an option, a host, or what marks an upload. */
function pathsIn(text: string): readonly string[] {
  const value = /^[\w-]*=([\s\S]*)$/.exec(text)?.[1]
  const attached = /^-\w([^\s-][\s\S]*)$/.exec(text)?.[1]
  const upload = /^[\w-]*(?:=?[@<])+"?([^"]*)/.exec(attached ?? text)?.[1]
  const source = /^(?:[\w.@-]+:)([~/][\s\S]*)$/.exec(text)?.[1]
  return [text, value, attached, upload, source].flatMap((one) => one ?? [])
}

/** The same for a path from where a `cd` has led, or can have led. */
function fromFolders(
  path: string,
  { folders }: ShellCommand,
  judge: (path: string) => Certainty,
): readonly Certainty[] {
  if (/^[/~]/.test(path)) return []
  return folders.flatMap((folder, index) => {
    if (folder === 'start') return []
    if (folder === 'unknown') {
      return /^[.*\0/]+$/.test(path) ? [judge(`${any}/${path}`)] : []
    }
    const found = judge(`${folder.path}/${path}`)
    // Only the first is where it most likely runs.
    return [index > 0 && found === 'yes' ? 'maybe' : found]
  })
}
