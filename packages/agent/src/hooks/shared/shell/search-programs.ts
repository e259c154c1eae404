import type { Inner } from './inner.ts'
import { commandStarts, optionValues } from './options.ts'
import type { Input } from './outputs.ts'
import {
  code,
  codeWhere,
  command,
  joined,
  type Special,
  script,
} from './special.ts'
import { any, isBelowHere, knownWord, unknownWords, type Word } from './word.ts'

/** A name below some folders that are searched. */
function nameBelow(roots: readonly Word[]): Word {
  const isBelow = roots.every(({ text }) => isBelowHere(text))
  // The one that leads highest counts.
  const [out] = roots.filter(({ text }) => !isBelowHere(text))
  const text = isBelow ? `./${any}` : (out?.text ?? '') + any
  return { text, isMany: true, isNames: true }
}

/** The same words with something in place of a mark such as `{}`. */
function filled(words: readonly Word[], mark: RegExp, by: Word) {
  return words.map((word) =>
    word.text.search(mark) < 0
      ? word
      : { ...by, text: word.text.replace(mark, () => by.text) },
  )
}

const braces = /\{\}/g

/** `find … -exec rm {} ;`: each command ends with `;` or `+`. */
const find: Special = ([, ...given]) => {
  const args = given.filter(({ text }) => !/^-[HLPD]$|^-O\d?$/.test(text))
  const start = args.findIndex(({ text }) => /^[-(!]/.test(text))
  const roots = start < 0 ? args : args.slice(0, start)
  const isListed = args.some(({ text }) => text === '-files0-from')
  const name = isListed ? unknownWords : nameBelow(roots)
  const outside = roots.find(({ text }) => !isBelowHere(text))
  return args.flatMap(({ text: flag }, index): Inner[] => {
    const rest = args.slice(index + 1)
    if (flag === '-delete') {
      const folder = isListed ? unknownWords : (outside ?? knownWord('.'))
      return [command([knownWord('find-delete'), folder])]
    }
    if (/^-f(?:print0?|printf|ls)$/.test(flag)) {
      return [command([knownWord('tee'), ...rest.slice(0, 1)])]
    }
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(flag)) return []
    const end = rest.findIndex(({ text: one }) => one === ';' || one === '+')
    const words = filled(end < 0 ? rest : rest.slice(0, end), braces, name)
    const isThere = flag.endsWith('dir') && outside !== undefined
    return [
      { type: 'command', words, ...(isThere && { folder: outside.text }) },
    ]
  })
}

const fdMark = /\{(?:\/\/|\/\.|\/|\.)?\}/g

/** `fd pattern folder -x rm`: the name is added where there is no mark. */
const fd: Special = ([, ...args]) => {
  const at = args.findIndex(({ text }) =>
    /^(?:-[xX]|--exec(?:-batch)?)$/.test(text),
  )
  if (at < 0) return []
  const roots = args.slice(0, at).filter(({ text }) => !/^-/.test(text))
  const name = nameBelow(roots.slice(1))
  const given = args.slice(at + 1)
  const words = filled(given, fdMark, name)
  const isMarked = words.some((word, index) => word !== given[index])
  return [command(isMarked ? words : [...words, name])]
}

const xargsSpec = {
  ...{ values: 'InLPsaEd', flags: '0rtpxoi' },
  long: [
    ...['--max-args', '--max-procs', '--delimiter'],
    ...['--arg-file', '--max-lines', '--max-chars'],
  ],
}

/** `xargs` adds what it reads, or puts it in place of a mark. */
const xargs: Special = (words, input) => {
  const added = wordsOf(input)
  const [first = unknownWords] = added
  const mark = words.flatMap(({ text }, index) => {
    const [, long] = /^--replace(?:=(.*))?$/s.exec(text) ?? []
    const [, short] = /^-[0rtpxo]*[Ii](.*)$/s.exec(text) ?? []
    if (text.startsWith('--replace')) return [long || '{}']
    if (short === undefined) return []
    const isNext = short === '' && text.endsWith('I')
    return [isNext ? (words[index + 1]?.text ?? '{}') : short || '{}']
  })[0]
  // With a mark it reads line by line.
  const line = added.length === 1 ? first : lineOf(input)
  return commandStarts(words, xargsSpec).map((start) => {
    const given = words.slice(start)
    if (mark === undefined || mark === '') return command([...given, ...added])
    return command(filled(given, new RegExp(escaped(mark), 'g'), line))
  })
}

const quoted = (text: string) =>
  text.includes(any) ? text : `'${text.replaceAll("'", "'\\''")}'`

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

function lineOf(input: Input): Word {
  if (input.type !== 'text' || input.text.includes('\n')) return unknownWords
  return { text: input.text, isMany: false, isNames: false }
}

function wordsOf(input: Input): readonly Word[] {
  const text = input.type === 'text' ? input.text : any
  if (text.startsWith('./')) return [{ text, isMany: true, isNames: true }]
  if (text.includes(any)) return [unknownWords]
  return text
    .split(/\s+/)
    .filter((part) => part !== '')
    .slice(0, 100)
    .map(knownWord)
}

const parallelSpec = { values: 'jNnSIaLP', flags: 'kmuXv0' }
const parallelMark = /\{[#%\d./]*\}/g

/** `parallel command ::: values`: each is a script, or a word of one. */
const parallel: Special = (words, input) => {
  const at = words.findIndex(({ text }) => /^::::?\+?$/.test(text))
  const given = at < 0 ? words : words.slice(0, at)
  const values = at < 0 ? wordsOf(input) : words.slice(at + 1)
  const starts = commandStarts(given, parallelSpec)
  if (starts.length === 0) {
    if (at < 0) return input.type === 'text' ? [script(input.text)] : []
    return values.map(({ text }) => script(text))
  }
  return starts.flatMap((start) => {
    const task = given.slice(start)
    return values.slice(0, 20).map((value) => {
      const made = filled(task, parallelMark, value)
      const isMarked = made.some((word, index) => word !== task[index])
      if (!task.some(({ text }) => /\s/.test(text))) {
        return command(isMarked ? made : [...made, value])
      }
      const own = { ...value, text: quoted(value.text) }
      const text = joined(filled(task, parallelMark, own))
      return script(isMarked ? text : `${text} ${own.text}`)
    })
  })
}

const preprocessed: Special = ([, ...args]) =>
  optionValues(args, ['--pre', '--hostname-bin']).length > 0
    ? [code('what rg is told to run')]
    : []

/** Programs that find something, and run others with it. */
export const searchPrograms: readonly (readonly [string, Special])[] = [
  ['find', find],
  ['gfind', find],
  ['fd', fd],
  ['fdfind', fd],
  ['xargs', xargs],
  ['gxargs', xargs],
  ['parallel', parallel],
  ['rg', preprocessed],
  ['ag', codeWhere(/^--pager/)],
  ['ack', codeWhere(/^--pager/)],
  ['bat', codeWhere(/^--pager=.*\s/)],
]
