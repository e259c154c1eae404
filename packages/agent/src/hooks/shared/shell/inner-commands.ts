import { codeWords } from './code-words.ts'
import type { Inner } from './inner.ts'
import { interpreters, isSafeCode, shellNames } from './interpreters.ts'
import { commandStarts } from './options.ts'
import type { Input } from './outputs.ts'
import { loadsCode, runsItsValue } from './risky-variables.ts'
import { specialPrograms } from './special-programs.ts'
import { any, unknownWords, type Word } from './word.ts'
import { runners, wrappers } from './wrappers.ts'

/** The name of a program, whatever folder it is in. */
export function programName({ text }: Word): string {
  const name = text.slice(text.lastIndexOf('/') + 1).toLowerCase()
  return name.replace(/^=(?=.)/, '').replace(/\.exe$/, '')
}

export function innerCommands(
  words: readonly Word[],
  input: Input,
): readonly Inner[] {
  const [program] = words
  if (program === undefined) return []
  if (program.isMany || program.text.includes(any)) {
    return [{ type: 'code', what: 'a program whose name is not known' }]
  }
  const name = programName(program)
  // A letter that looks like another one, or cannot be seen.
  if (/[^\x20-\x7e]/.test(name)) {
    return [{ type: 'code', what: 'a program with a strange name' }]
  }
  return [
    ...wrapped(name, words, input),
    ...ofShell(name, words, input),
    ...ofInterpreter(name, words, input),
    ...(specialPrograms.get(name)?.(words, input) ?? []),
  ]
}

function wrapped(
  name: string,
  words: readonly Word[],
  input: Input,
): readonly Inner[] {
  const isLoader = /^ld(?:-linux.*|-musl.*)?\.so/.test(name)
  const spec = wrappers.get(isLoader ? 'ld.so' : name)
  if (spec === undefined) return suffixes(name, words)
  // Only looks a name up.
  const isLookup = name === 'command' && /^-\w*[vV]/.test(words[1]?.text ?? '')
  if (isLookup) return []
  const inner: Inner[] = commandStarts(words, spec).map((start) => ({
    type: 'command',
    words: [...words.slice(start), ...addedBy(name, input)],
  }))
  const set = spec.assigns ? words : []
  return [...inner, ...set.flatMap(({ text }) => assigned(text))]
}

/** `xargs` and `parallel` add what they read. */
function addedBy(name: string, input: Input): readonly Word[] {
  if (name !== 'xargs' && name !== 'parallel') return []
  const text = input.type === 'text' ? input.text : any
  if (text.startsWith('./')) return [{ text, isMany: true, isNames: true }]
  if (text.includes(any)) return [unknownWords]
  return text
    .split(/\s+/)
    .filter((part) => part !== '')
    .slice(0, 100)
    .map((part) => ({ text: part, isMany: false, isNames: false }))
}

function assigned(text: string): readonly Inner[] {
  const [, name, value = ''] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? []
  if (name === undefined) return []
  if (runsItsValue(name)) return [{ type: 'script', text: value }]
  return loadsCode(name) ? [{ type: 'code', what: `code by ${name}` }] : []
}

/** Where a command begins among their options nobody knows: any word may. */
function suffixes(name: string, words: readonly Word[]): readonly Inner[] {
  const runner = runners.get(name)
  const first = words.findIndex(
    ({ text }, index) => index > 0 && !text.startsWith('-'),
  )
  if (runner === undefined || !runner.test(words[first]?.text ?? '')) return []
  const isNamed = !runner.test('!')
  return words.flatMap(({ text }, index): Inner[] => {
    const isStart =
      index >= (isNamed ? first + 1 : first) && index <= first + 40
    if (!isStart || /^-|^$/.test(text) || text.includes(any)) return []
    return [{ type: 'command', words: words.slice(index) }]
  })
}

function ofShell(
  name: string,
  words: readonly Word[],
  input: Input,
): readonly Inner[] {
  if (!shellNames.test(name)) return []
  let hasScript = false
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? unknownWords
    const { text } = word
    if (word.isMany && !word.isNames) {
      return [{ type: 'code', what: 'what a shell is given' }]
    }
    if (/^[-+]\w*o$|^--(?:rcfile|init-file)$/.test(text)) at++
    else if (/^-\w*c/.test(text)) hasScript = true
    else if (/^-\w*s/.test(text)) break
    else if (hasScript && !/^-./.test(text)) return [{ type: 'script', text }]
    else if (hasScript && text === '--') continue
    else if (isStdin(text)) break
    else if (/^[^-+]/.test(text)) {
      return text.startsWith('/dev/fd/')
        ? [{ type: 'code', what: 'what another command prints' }]
        : []
    }
  }
  return fromInput(input, (text) => [{ type: 'script', text }])
}

const isStdin = (text: string) =>
  /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/0)$/.test(text)

function fromInput(
  input: Input,
  read: (text: string) => readonly Inner[],
): readonly Inner[] {
  if (input.type !== 'text') return []
  if (input.text !== any) return read(input.text)
  return [{ type: 'code', what: 'code that comes through a pipe' }]
}

function ofInterpreter(
  name: string,
  words: readonly Word[],
  input: Input,
): readonly Inner[] {
  const plainName = name.replace(/[\d.]+$/, '')
  const interpreter = interpreters.get(plainName)
  if (interpreter === undefined) return []
  const judge = (text: string): readonly Inner[] =>
    isSafeCode(plainName, text)
      ? []
      : [{ type: 'code', what: `code for ${plainName}` }]
  const { codes, operands, isSure } = codeWords(words, interpreter)
  if (!isSure) return [{ type: 'code', what: `what ${plainName} is given` }]
  const [file] = operands
  const isOpaque = file?.text.startsWith('/dev/fd/') ?? false
  if (isOpaque) return [{ type: 'code', what: 'what another command prints' }]
  const readsInput = codes.length === 0 && (!file || isStdin(file.text))
  return [
    ...codes.flatMap(({ text }) => judge(text)),
    ...(readsInput && interpreter.readsInput ? fromInput(input, judge) : []),
  ]
}
