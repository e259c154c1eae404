import { readEscapes } from './escapes.ts'
import { any, isBelowHere, isKnown, type Word } from './word.ts'

/** What a command reads, as far as it is known. */
export type Input =
  | { readonly type: 'none' }
  /** A file, of which nobody says what is in it. */
  | { readonly type: 'file' }
  | { readonly type: 'text'; readonly text: string }

export const noInput: Input = { type: 'none' }
export const unknownText: Input = { type: 'text', text: any }

/** What a command prints, where that can be said without running it. */
export function outputOf(words: readonly Word[], input: Input): string {
  const [program, ...rest] = words.map(({ text }) => text)
  const name = program?.slice(program.lastIndexOf('/') + 1)
  if (name === 'pwd') return '.'
  if (name === 'mktemp' && rest.every((arg) => /^-[dqut]+$/.test(arg))) {
    return `/tmp/${any}`
  }
  if (name === 'find' || name === 'fd' || name === 'ls') return namesOf(rest)
  const isListing =
    name === 'git' &&
    (rest[0] === 'ls-files' || rest.includes('--name-only')) &&
    !rest.some((arg) => arg.startsWith('--format'))
  const isNaming = /^(?:rg|grep)$/.test(name ?? '') && rest.some(isNamesFlag)
  if (isListing || isNaming) return namesOf(rest)
  if (!words.every(isKnown)) return any
  if (name === 'echo') return echoed(rest)
  if (name === 'printf') return printed(rest)
  const text = input.type === 'text' ? input.text : any
  if (name === 'cat' && rest.every((arg) => arg === '-')) return text
  const isDecoding = rest.some((arg) => /^(?:-d|-D|--d.*)$/.test(arg))
  if (name === 'base64' && isDecoding && rest.length === 1) return decoded(text)
  return any
}

const isNamesFlag = (arg: string) =>
  /^-\w*[lL]/.test(arg) || arg.startsWith('--files')

/** Names below the working folder, unless it looks elsewhere, or prints more. */
function namesOf(args: readonly string[]): string {
  const isBelow = args.every(
    (arg) => isBelowHere(arg) && !/^-(?:exec|ok|f?printf|x)/.test(arg),
  )
  return isBelow ? `./${any}` : any
}

function echoed(args: readonly string[]): string {
  const start = args.findIndex((arg) => !/^-[neE]+$/.test(arg))
  if (start < 0) return ''
  const text = args.slice(start).join(' ')
  if (!text.includes('\\')) return text
  // Some shells read escapes without being told to.
  const isTold = args.slice(0, start).some((flag) => flag.includes('e'))
  return isTold ? readEscapes(text) : any
}

function printed(args: readonly string[]): string {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args
  if (!format.includes('%')) return readEscapes(format)
  const isPlain = /^(?:%[sb]|[^%\\]|\\n)+$/.test(format)
  const signs = format.match(/%[sb]/g) ?? []
  if (!isPlain || signs.length !== values.length) return any
  const left = [...values]
  return readEscapes(format).replace(/%[sb]/g, (sign) => {
    const value = left.shift() ?? ''
    return sign === '%b' ? readEscapes(value) : value
  })
}

function decoded(text: string): string {
  if (text.includes(any)) return any
  try {
    return atob(text.replace(/\s/g, ''))
  } catch {
    return any
  }
}
