import { Unreadable } from './cursor.ts'
import { expandBraces } from './expand-braces.ts'
import { type Input, unknownText } from './outputs.ts'
import { hasUsualSeparators, type ShellState } from './shell-state.ts'
import { followSum } from './sums.ts'
import type { Part, Parts, Script } from './syntax.ts'
import { any, type Word } from './word.ts'

export interface Expansion {
  readonly state: ShellState
  /** Follows a script whose output is used, and gives what is known of it. */
  readonly outputOf: (script: Script, input?: Input) => string
  /** Code is run that nobody knows. */
  readonly noteCode: (what: string) => void
}

const maxLength = 200_000

/** The words that pieces of a word become: none, one or several. */
export function expandWord(parts: Parts, expansion: Expansion): Word[] {
  return expandBraces(parts).flatMap((one) => expandOne(one, expansion))
}

/** Where it stays one word, as after `=` and `<`. */
export function expandToOne(parts: Parts, expansion: Expansion): Word {
  const all = withHome(parts, expansion)
  const pieces = all.map((part) => pieceOf(part, expansion))
  const text = pieces.map((piece) => piece.text).join('')
  if (text.length > maxLength) throw new Unreadable('a word is too long')
  return { text, isMany: false, isNames: false }
}

/** `~` is the value of a variable, and so is `~+`. */
function withHome(parts: Parts, { state }: Expansion): Parts {
  const [first, ...rest] = parts
  if (first?.type !== 'text' || first.isQuoted) return parts
  const [found, sign] = /^~([+-]?)(?=\/|$)/.exec(first.text) ?? []
  if (found === undefined) return parts
  const name = { '+': 'PWD', '-': 'OLDPWD' }[sign ?? ''] ?? 'HOME'
  const text = (state.values.get(name) ?? any) + first.text.slice(found.length)
  return [{ ...first, text }, ...rest]
}

/** What a part comes to. */
interface Piece {
  readonly text: string
  /** Whether it is split into words. */
  readonly isSplit: boolean
  /** Whether it is a word even if it is empty. */
  readonly isQuoted: boolean
  /** Whether `*` and `?` stand for names. */
  readonly isPattern: boolean
  readonly isMany?: boolean
}

const plainPiece = { isSplit: false, isQuoted: true, isPattern: false }

function expandOne(parts: Parts, expansion: Expansion): Word[] {
  const words: Word[] = []
  let open: (Omit<Word, 'text'> & { text: string }) | undefined
  const close = () => {
    if (open) words.push(open)
    open = undefined
  }
  const add = (text: string, piece: Piece) => {
    const given = piece.isPattern ? namesIn(text, parts.length) : text
    open ??= { text: '', isMany: false, isNames: false }
    open = {
      text: open.text + given,
      isMany: open.isMany || piece.isMany === true,
      isNames: open.isNames || given !== text,
    }
    if (open.text.length > maxLength) throw new Unreadable('a word is too long')
  }
  for (const part of withHome(parts, expansion)) {
    const piece = pieceOf(part, expansion)
    if (!piece.isSplit) {
      if (piece.text !== '' || piece.isQuoted) add(piece.text, piece)
      continue
    }
    for (const [index, text] of piece.text.split(/[ \t\n]+/).entries()) {
      if (index > 0) close()
      if (text !== '') add(text, piece)
    }
  }
  close()
  return words
}

function pieceOf(part: Part, expansion: Expansion): Piece {
  switch (part.type) {
    case 'text':
      return part.isQuoted
        ? { ...plainPiece, text: part.text }
        : { ...plainPiece, text: part.text, isQuoted: false, isPattern: true }
    case 'brace':
      return { ...plainPiece, text: part.text }
    case 'unknown': {
      const { text } = expandToOne(part.inside, expansion)
      if (part.isSum && followSum(text, expansion.state)) {
        expansion.noteCode('an index that runs code')
      }
      return { ...plainPiece, text: any }
    }
    case 'script': {
      if (part.gives === 'file') {
        // Whoever gets the file may write to it.
        expansion.outputOf(part.body, unknownText)
        return { ...plainPiece, text: `/dev/fd/${any}` }
      }
      const output = expansion.outputOf(part.body)
      return valuePiece(output, part.isQuoted, expansion)
    }
    case 'parameter': {
      const value = parameterValue(part, expansion)
      return valuePiece(value, part.isQuoted && part.name !== '@', expansion)
    }
    default:
      return part satisfies never
  }
}

function valuePiece(
  value: string,
  isQuoted: boolean,
  { state }: Expansion,
): Piece {
  if (isQuoted) return { ...plainPiece, text: value }
  const isSplit = hasUsualSeparators(state)
  const text = isSplit ? value : any
  const isMany = text.includes(any)
  return { text, isSplit, isQuoted: false, isPattern: true, isMany }
}

/** A pattern of names; what is in a bracket that goes on is not followed. */
function namesIn(text: string, partsOfWord: number): string {
  // A bracket after the last one that closes would be looked for to the end.
  const closed = text.lastIndexOf(']') + 1
  const head = text.slice(0, closed).replace(/\[[^\]]+\]/g, any)
  const names = (head + text.slice(closed)).replace(/[*?]/g, any)
  const bracket = names.indexOf('[')
  const isOpen = bracket >= 0 && partsOfWord > 1
  return isOpen ? names.slice(0, bracket) + any : names
}

type Parameter = Extract<Part, { readonly type: 'parameter' }>

function parameterValue(part: Parameter, expansion: Expansion): string {
  const { name, operator } = part
  const operand = expandToOne(part.operand, expansion).text
  if (operator === '@' && /^[^a-zA-Z]*P/.test(operand)) {
    expansion.noteCode('a value that is expanded as a prompt')
  }
  const value = knownValue(name, expansion.state)
  // A variable without a value gets one.
  if (operator.endsWith('=') && !value) expansion.state.values.delete(name)
  if (operator === '') return value ?? any
  if (value === undefined || value.includes(any)) return any
  if (/^:?[-=?]$/.test(operator)) return value === '' ? any : value
  if (operator !== ':') return any
  const [, start, length] = /^(\d{1,6})(?::(\d{1,6}))?$/.exec(operand) ?? []
  if (start === undefined) return any
  const from = Number(start)
  return value.slice(
    from,
    length === undefined ? undefined : from + Number(length),
  )
}

function knownValue(name: string, state: ShellState): string | undefined {
  const given = state.arguments
  if (/^[1-9]\d*$/.test(name)) {
    const isExact = given?.every(({ isMany }) => !isMany)
    return isExact ? (given?.[Number(name) - 1]?.text ?? '') : undefined
  }
  if (name !== '@' && name !== '*') return state.values.get(name)
  if (given === undefined) return undefined
  const isPlain = given.every(({ text }) => /^[^\s*?[\]]*$/.test(text))
  return isPlain ? given.map(({ text }) => text).join(' ') : undefined
}
