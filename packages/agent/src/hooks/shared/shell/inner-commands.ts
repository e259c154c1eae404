import { codeWords } from './code-words.ts'
import type { Inner } from './inner.ts'
import { interpreters, isSafeCode } from './interpreters.ts'
import { commandStarts, optionValues } from './options.ts'
import type { Input } from './outputs.ts'
import { settingsIn } from './risky-variables.ts'
import { fileAt, fromInput, isStdin, ofShell } from './shells.ts'
import { specialPrograms } from './special-programs.ts'
import { runsInSum } from './sums.ts'
import { any, isKnown, type Word } from './word.ts'
import { runners, wrappers } from './wrappers.ts'

/** The name of a program, whatever folder it is in. */
export function programName({ text }: Word): string {
  const name = text.slice(text.lastIndexOf('/') + 1).toLowerCase()
  return name.replace(/^=(?=.)/, '').replace(/\.exe$/, '')
}

const code = (what: string): Inner => ({ type: 'code', what })

/** Builtins that compute the index of a list in their arguments. */
const computing = new Set(
  'test [ read printf declare typeset local export readonly unset let wait mapfile readarray getopts'.split(
    ' ',
  ),
)

export function innerCommands(
  words: readonly Word[],
  input: Input,
): readonly Inner[] {
  const [program, ...args] = words
  if (program === undefined) return []
  if (program.isMany || program.text.includes(any)) {
    return [code('a program whose name is not known')]
  }
  const name = programName(program)
  // A letter that looks like another one, or cannot be seen; an option or a
  // whole command in place of a name; a line of the history.
  if (/[^\x20-\x7e]|\s|^[-!]|^$/.test(name)) {
    return [code('a program with a strange name')]
  }
  const read = input.type === 'text' ? [input] : []
  const hasIndex = computing.has(name) && [...args, ...read].some(runsInSum)
  return [
    ...wrapped(name, words),
    ...ofShell(name, words, input),
    ...ofInterpreter(name, words, input),
    ...(specialPrograms.get(name)?.(words, input) ?? []),
    ...(hasIndex ? [code('an index that runs code')] : []),
  ]
}

function wrapped(name: string, words: readonly Word[]): readonly Inner[] {
  const isLoader = /^ld(?:-linux.*|-musl.*)?\.so/.test(name)
  const spec = wrappers.get(isLoader ? 'ld.so' : name)
  if (spec === undefined) return suffixes(name, words)
  // Only looks a name up.
  const isLookup = name === 'command' && /^-\w*[vV]/.test(words[1]?.text ?? '')
  if (isLookup) return []
  const [folder] = optionValues(words.slice(1), spec.folder ?? [])
  const where = folder && { folder: folder.text }
  const inner = commandStarts(words, spec).map((start): Inner => {
    const command = words.slice(start)
    const [first] = command
    // A whole command in one word is one for a shell.
    return first && isKnown(first) && /\s/.test(first.text)
      ? { type: 'script', text: first.text, ...where }
      : { type: 'command', words: command, ...where }
  })
  return [...inner, ...(spec.assigns ? settingsIn(words) : [])]
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
    if (!isStart || /^-|^$|\s/.test(text) || text.includes(any)) return []
    return [{ type: 'command', words: words.slice(index) }]
  })
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
    isSafeCode(plainName, text) ? [] : [code(`code for ${plainName}`)]
  const { codes, operands, isSure } = codeWords(words, interpreter)
  if (!isSure) return [code(`what ${plainName} is given`)]
  const [file] = operands
  const isScript = file !== undefined && !interpreter.isFirst
  const readsInput = codes.length === 0 && (!file || isStdin(file.text))
  return [
    ...codes.flatMap(({ text }) => judge(text)),
    ...(isScript ? fileAt(file.text, plainName) : []),
    ...(readsInput && interpreter.readsInput ? fromInput(input, judge) : []),
  ]
}
