/** What a value reads like, and whether that is all of it. */
export interface PrintedValue {
  readonly text: string
  readonly isCut: boolean
}

/** What people read at most; more would keep the page from its work. */
const maxChars = 200_000
const maxDepth = 100

/**
 * JSON as people read it: indented, with texts of several lines as lines. It
 * stops where there is too much, however large the value is.
 */
export function printValue(value: unknown, limit = maxChars): PrintedValue {
  if (typeof value === 'string') {
    return { text: value.slice(0, limit), isCut: value.length > limit }
  }
  const printer = new Printer(limit)
  printer.print(value, 0)
  return { text: printer.text, isCut: printer.isFull }
}

class Printer {
  text = ''
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.text.length >= this.#limit
  }

  print(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#printText(value, depth)
    else if (typeof value !== 'object' || value === null) {
      this.#add(JSON.stringify(value) ?? 'undefined')
    } else if (depth > maxDepth) this.#add('…')
    else if (Array.isArray(value)) this.#printList(value, depth)
    else this.#printObject(value, depth)
  }

  #printList(list: readonly unknown[], depth: number): void {
    this.#printParts(['[', ']'], list, depth, (item) =>
      this.print(item, depth + 1),
    )
  }

  #printObject(value: object, depth: number): void {
    const entries = Object.entries(value)
    this.#printParts(['{', '}'], entries, depth, ([key, item]) => {
      this.#add(`${JSON.stringify(key)}: `)
      this.print(item, depth + 1)
    })
  }

  #printParts<T>(
    [open, close]: readonly [string, string],
    parts: readonly T[],
    depth: number,
    printPart: (part: T) => void,
  ): void {
    if (parts.length === 0) {
      this.#add(open + close)
      return
    }
    this.#add(open)
    for (const [at, part] of parts.entries()) {
      if (this.isFull) return
      this.#add(`${at === 0 ? '' : ','}\n${indent(depth + 1)}`)
      printPart(part)
    }
    this.#add(`\n${indent(depth)}${close}`)
  }

  #printText(text: string, depth: number): void {
    const left = Math.max(0, this.#limit - this.text.length)
    if (!text.includes('\n')) {
      this.#add(JSON.stringify(text.slice(0, left)))
      return
    }
    const lines = text.slice(0, left).split('\n')
    const inner = indent(depth + 1)
    this.#add(`"""\n${inner}${lines.join(`\n${inner}`)}\n${inner}"""`)
  }

  #add(text: string): void {
    if (!this.isFull) this.text += text.slice(0, this.#limit - this.text.length)
  }
}

function indent(depth: number): string {
  return '  '.repeat(depth)
}
