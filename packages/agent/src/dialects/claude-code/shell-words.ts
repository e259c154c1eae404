import { HereDocuments } from './here-documents.ts'
import { OpenWord, type ShellWord } from './open-word.ts'
import {
  ansiQuoted,
  endOfLine,
  matchAt,
  parameter,
  redirection,
} from './shell-signs.ts'

export interface ShellLine {
  /** Each as its words, without redirections; those inside others, too. */
  readonly commands: readonly (readonly ShellWord[])[]
  /** It holds `$NAME`, `$(…)` or backticks, so that nobody knows what runs. */
  readonly isOpen: boolean
}

/** Takes a line for a shell apart. What is not plain to read is undefined. */
export function readShellWords(line: string): ShellLine | undefined {
  const commands: ShellWord[][] = []
  const reader = new ShellReader(line, commands)
  if (!reader.readAll()) return undefined
  return { commands, isOpen: reader.isOpen }
}

const maxDepth = 20

class ShellReader {
  readonly #line: string
  readonly #found: ShellWord[][]
  #at = 0
  #depth: number
  #words: ShellWord[] = []
  #word: OpenWord | undefined
  /** The next word is where something is redirected to. */
  #isTarget = false
  #documents = new HereDocuments()
  #isUnclear = false
  isOpen = false

  constructor(line: string, found: ShellWord[][], depth = 0) {
    this.#line = line
    this.#found = found
    this.#depth = depth
  }

  /** False where it cannot tell what a shell would make of it. */
  readAll(): boolean {
    let brackets = 0
    while (this.#at < this.#line.length) {
      const sign = this.#line[this.#at]
      if (sign === '(') brackets++
      if (sign === ')' && --brackets < 0) {
        brackets = 0
        this.#dropPattern()
      } else if (!this.#readNext()) return false
    }
    return this.#end()
  }

  #end(): boolean {
    this.#endCommand()
    return this.#documents.isEmpty && !this.#isUnclear
  }

  /** A bracket that was not opened ends a pattern of `case`. */
  #dropPattern(): void {
    this.#at++
    this.#endWord()
    this.#words = []
  }

  #readNext(isQuoted = false): boolean {
    const sign = this.#line[this.#at] ?? ''
    if (!isQuoted && (sign === '<' || sign === '>')) return this.#redirect()
    if (!isQuoted && this.#line.startsWith('&>', this.#at)) {
      return this.#redirect()
    }
    this.#at++
    switch (sign) {
      case '\\':
        return this.#readEscaped()
      case "'":
        return this.#readTo("'")
      case '"':
        return this.#readDoubleQuoted()
      case '`':
        return this.#readBackticks()
      case '$':
        return this.#readDollar()
      case ' ':
      case '\t':
        this.#endWord()
        return true
      case '\n':
        this.#endCommand()
        return this.#skipHereDocuments()
      case '(':
        this.#endCommand()
        // Sums have rules of their own.
        return this.#line[this.#at] !== '('
      case ';':
      case '|':
      case '&':
      case ')':
        this.#endCommand()
        return true
      case '#':
        if (this.#word !== undefined) return this.#add(sign)
        this.#at = endOfLine(this.#line, this.#at)
        return true
      default:
        return this.#addPlain(sign)
    }
  }

  #add(text: string, isQuoted = false): true {
    this.#word ??= new OpenWord()
    this.#word.add(text, isQuoted)
    return true
  }

  #addPlain(sign: string): true {
    this.#word ??= new OpenWord()
    this.#word.addPlain(sign)
    return true
  }

  #markUnknown(): void {
    this.#word ??= new OpenWord()
    this.#word.markUnknown()
  }

  #endWord(): void {
    const word = this.#word?.end()
    this.#word = undefined
    if (word === undefined) return
    if (this.#isTarget) {
      this.#isTarget = false
      return
    }
    const { text, isQuoted } = word
    // Its patterns would end what it stands in.
    if (!isQuoted && text === 'case' && this.#depth > 0) this.#isUnclear = true
    const isBrace = !isQuoted && (text === '{' || text === '}')
    if (isBrace) this.#endCommand()
    else this.#words.push(word)
  }

  #endCommand(): void {
    this.#endWord()
    if (this.#words.length > 0) this.#found.push(this.#words)
    this.#words = []
    this.#isTarget = false
  }

  #readEscaped(): boolean {
    const sign = this.#line[this.#at]
    if (sign === undefined) return false
    this.#at++
    // A line that goes on is one line.
    return sign === '\n' || this.#add(sign, true)
  }

  #readTo(sign: string): boolean {
    const end = this.#line.indexOf(sign, this.#at)
    if (end === -1) return false
    this.#add(this.#line.slice(this.#at, end), true)
    this.#at = end + 1
    return true
  }

  #readDoubleQuoted(): boolean {
    this.#add('', true)
    while (this.#at < this.#line.length) {
      const sign = this.#line[this.#at] ?? ''
      this.#at++
      if (sign === '"') return true
      if (sign === '\\') {
        const next = this.#line[this.#at] ?? ''
        if (!'$`"\\\n'.includes(next)) this.#add(sign)
        else if (!this.#readEscaped()) return false
      } else if (sign === '$') {
        if (!this.#readDollar(true)) return false
      } else if (sign === '`') {
        if (!this.#readBackticks()) return false
      } else this.#add(sign)
    }
    return false
  }

  #readDollar(isQuoted = false): boolean {
    const next = this.#line[this.#at] ?? ''
    if (next === '"' && !isQuoted) return true
    if (next === "'" && !isQuoted) return this.#readAnsi()
    if (next === '[') return false
    if (next === '(') {
      this.#at++
      this.#addUnknown('')
      return this.#readInside()
    }
    const name = matchAt(parameter, this.#line, this.#at)
    if (name === undefined) return next !== '{' && this.#add('$', true)
    this.#at += name[0].length
    this.#addUnknown(name[0])
    return true
  }

  #addUnknown(name: string): void {
    this.isOpen = true
    this.#markUnknown()
    this.#add(`$${name}`, true)
  }

  #readAnsi(): boolean {
    const quoted = matchAt(ansiQuoted, this.#line, this.#at)
    if (quoted === undefined) return false
    const [all, text = ''] = quoted
    this.#at += all.length
    if (text.includes('\\')) this.#addUnknown('')
    else this.#add(text, true)
    return true
  }

  /** What stands in `$(…)` or `<(…)`, up to its bracket. */
  #readInside(): boolean {
    if (this.#depth === maxDepth) return false
    const before = [this.#words, this.#word, this.#isTarget] as const
    const documents = this.#documents
    this.#words = []
    this.#word = undefined
    this.#isTarget = false
    this.#documents = new HereDocuments()
    this.#depth++
    const isRead = this.#readToBracket() && this.#end()
    this.#depth--
    ;[this.#words, this.#word, this.#isTarget] = before
    this.#documents = documents
    return isRead
  }

  #readToBracket(): boolean {
    for (let depth = 0; this.#at < this.#line.length; ) {
      const sign = this.#line[this.#at]
      if (sign === '(') depth++
      if (sign === ')' && --depth < 0) {
        this.#at++
        return true
      }
      if (!this.#readNext()) return false
    }
    return false
  }

  #readBackticks(): boolean {
    const end = this.#line.indexOf('`', this.#at)
    const text = this.#line.slice(this.#at, end)
    // A backslash there is read twice.
    if (end === -1 || this.#depth === maxDepth || text.includes('\\')) {
      return false
    }
    this.#addUnknown('')
    this.#at = end + 1
    return new ShellReader(text, this.#found, this.#depth + 1).readAll()
  }

  #redirect(): boolean {
    const before = this.#word?.end()
    const isNumber =
      before?.isQuoted === false && /^(?:\d+|\{\w+\})$/.test(before.text)
    const next = this.#line[this.#at + 1]
    if (next === '(') {
      this.#at += 2
      this.#markUnknown()
      return this.#readInside()
    }
    if (isNumber) this.#word = undefined
    else this.#endWord()
    const isDocument =
      this.#line.startsWith('<<', this.#at) && this.#line[this.#at + 2] !== '<'
    if (isDocument) {
      const end = this.#documents.begin(this.#line, this.#at + 2)
      this.#at = end ?? this.#at
      return end !== undefined
    }
    const sign = matchAt(redirection, this.#line, this.#at)
    this.#at += sign?.[0].length ?? 1
    this.#isTarget = true
    return true
  }

  #skipHereDocuments(): boolean {
    const skipped = this.#documents.skip(this.#line, this.#at)
    if (skipped === undefined) return false
    this.#at = skipped.at
    this.isOpen ||= skipped.isOpen
    return true
  }
}
