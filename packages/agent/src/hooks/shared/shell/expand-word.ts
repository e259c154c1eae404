import { Unreadable } from './cursor.ts'
import { expandBraces } from './expand-braces.ts'
import { hasUsualSeparators, type ShellState } from './shell-state.ts'
import type { Part, Parts, Script } from './syntax.ts'
import { any, type Word } from './word.ts'

export interface Expansion {
  readonly state: ShellState
  /** Follows a script whose output is used, and gives what is known of it. */
  readonly outputOf: (script: Script) => string
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
  const pieces = parts.map((part) => pieceOf(part, expansion))
  const text = pieces.map((piece) => piece.text).join('')
  if (text.length > maxLength) throw new Unreadable('a word is too long')
  return { text, isMany: false, isNames: false }
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
  for (const part of parts) {
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
    case 'unknown':
      expandToOne(part.inside, expansion)
      return { ...plainPiece, text: any }
    case 'script': {
      const output = expansion.outputOf(part.body)
      if (part.gives === 'file') {
        return { ...plainPiece, text: `/dev/fd/${any}` }
      }
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
