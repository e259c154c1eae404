/** The simple commands in a line for a shell, and whether it is all there is. */
export interface ShellCommands {
  /** Each as its words, without quotes, without what it sets before. */
  readonly commands: readonly string[]
  /** It holds `$NAME`, `$(…)` or backticks, so that nobody knows what runs. */
  readonly isOpen: boolean
}

const maxLength = 100_000
const maxDepth = 20

/**
 * Takes a line apart at `&&`, `||`, `;`, `|`, `&` and ends of lines, with what
 * `$(…)` and backticks hold. What it cannot read is undefined.
 */
export function readShellCommands(line: string): ShellCommands | undefined {
  if (line.length > maxLength) return undefined
  const found: string[] = []
  const reader = new ShellReader(line, found)
  if (!reader.readAll()) return undefined
  const commands = found.map(withoutPrefix).filter((one) => one !== '')
  return { commands, isOpen: reader.isOpen }
}

const assignment = /^[A-Za-z_]\w*\+?=\S*\s*/
const opening = /^(?:[({!]|(?:if|then|else|elif|do|while|until|time)(?=\s))\s*/

/** What stands before a command without being part of it. */
function withoutPrefix(command: string): string {
  let rest = command.trim()
  for (;;) {
    const next = rest.replace(opening, '').replace(assignment, '')
    if (next === rest) return rest.replaceAll(blank, ' ')
    rest = next.trim()
  }
}

/** Stands for a blank that was in quotes, which ends no word. */
const blank = '\u0001'

class ShellReader {
  readonly #line: string
  readonly #found: string[]
  readonly #depth: number
  #at = 0
  #text = ''
  isOpen = false

  constructor(line: string, found: string[], depth = 0) {
    this.#line = line
    this.#found = found
    this.#depth = depth
  }

  /** False where a quote or a bracket is not closed. */
  readAll(): boolean {
    while (this.#at < this.#line.length) {
      if (!this.#readNext()) return false
    }
    this.#endCommand()
    return true
  }

  #readNext(): boolean {
    const sign = this.#line[this.#at] ?? ''
    this.#at++
    if (sign === '\\') return this.#readEscaped()
    if (sign === "'") return this.#readQuoted()
    if (sign === '"') return this.#readDoubleQuoted()
    if (sign === '`') return this.#readInside(this.#line.indexOf('`', this.#at))
    if (sign === '$') return this.#readDollar()
    if (';&|\n)'.includes(sign)) this.#endCommand()
    else this.#text += sign
    return true
  }

  #endCommand(): void {
    this.#found.push(this.#text)
    this.#text = ''
  }

  #readEscaped(): boolean {
    const sign = this.#line[this.#at]
    if (sign === undefined) return false
    this.#at++
    // A line that goes on is one line.
    if (sign !== '\n') this.#text += sign === ' ' ? blank : sign
    return true
  }

  #readQuoted(): boolean {
    const end = this.#line.indexOf("'", this.#at)
    if (end === -1) return false
    this.#add(this.#line.slice(this.#at, end))
    this.#at = end + 1
    return true
  }

  #readDoubleQuoted(): boolean {
    while (this.#at < this.#line.length) {
      const sign = this.#line[this.#at] ?? ''
      this.#at++
      if (sign === '"') return true
      const isRead =
        sign === '\\'
          ? this.#readEscaped()
          : sign === '$'
            ? this.#readDollar()
            : sign === '`'
              ? this.#readInside(this.#line.indexOf('`', this.#at))
              : this.#add(sign)
      if (!isRead) return false
    }
    return false
  }

  #add(text: string): true {
    this.#text += text.replace(/\s/g, blank)
    return true
  }

  #readDollar(): boolean {
    const next = this.#line[this.#at] ?? ''
    if (next === '(') {
      this.#at++
      return this.#readInside(this.#closingBracket())
    }
    if (/[\w{*@#?!$-]/.test(next)) this.isOpen = true
    this.#text += '$'
    return true
  }

  /** The end of `$(`, by its brackets; quotes inside are read in their turn. */
  #closingBracket(): number {
    let depth = 1
    let quote = ''
    for (let at = this.#at; at < this.#line.length; at++) {
      const sign = this.#line[at] ?? ''
      if (quote !== '') {
        if (sign === quote) quote = ''
      } else if (sign === "'" || sign === '"') quote = sign
      else if (sign === '\\') at++
      else if (sign === '(') depth++
      else if (sign === ')' && --depth === 0) return at
    }
    return -1
  }

  #readInside(end: number): boolean {
    if (end === -1 || this.#depth === maxDepth) return false
    const text = this.#line.slice(this.#at, end)
    const inner = new ShellReader(text, this.#found, this.#depth + 1)
    this.#at = end + 1
    this.isOpen = true
    this.#text += '$'
    return inner.readAll()
  }
}
