import type { JSONVisitor, ParseErrorCode } from 'jsonc-parser'
import type { ConfigNode, MapEntry, Place } from '../node.ts'
import type { Path } from '../problem.ts'
import type { Report } from '../report.ts'
import { maxDepth } from './limits.ts'
import { createLineIndex } from './line-index.ts'
import { createKeyCheck } from './map-keys.ts'
import { readScalar } from './read-scalar.ts'

const maxSyntaxProblems = 5

/** JSON, with comments and trailing commas if it has them. */
export async function readJson(
  text: string,
  report: Report,
): Promise<ConfigNode | undefined> {
  const { visit, printParseErrorCode } = await import('jsonc-parser')
  const placeOf = createLineIndex(text)
  const tree = new Tree(report)
  let problems = 0
  const onError = (code: ParseErrorCode, offset: number) => {
    if (++problems > maxSyntaxProblems) return
    const at = placeOf(offset)
    const message = sentenceOf(printParseErrorCode(code))
    report.add({ code: 'syntax', at, path: [], message })
  }
  const visitor: JSONVisitor = {
    onError,
    onObjectBegin: (offset) => tree.open('map', placeOf(offset)),
    onObjectProperty: (key, offset) => tree.key(key, placeOf(offset)),
    onObjectEnd: () => tree.close(),
    onArrayBegin: (offset) => tree.open('list', placeOf(offset)),
    onArrayEnd: () => tree.close(),
    onLiteralValue: (value, offset) => tree.scalar(value, placeOf(offset)),
  }
  try {
    visit(text, visitor, { allowTrailingComma: true })
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    return undefined
  }
  return problems > 0 ? undefined : tree.root
}

class TooDeep extends Error {}

interface Open {
  readonly type: 'map' | 'list'
  readonly at: Place
  readonly items: ConfigNode[]
  readonly entries: MapEntry[]
  readonly isNew: ReturnType<typeof createKeyCheck>
  key: { readonly name: string; readonly at: Place } | undefined
}

/** Builds nodes from what a parser meets on its way. */
class Tree {
  root: ConfigNode | undefined
  readonly #report: Report
  readonly #stack: Open[] = []

  constructor(report: Report) {
    this.#report = report
  }

  open(type: 'map' | 'list', at: Place): void {
    if (this.#stack.length >= maxDepth) {
      const message = `It is deeper than ${maxDepth} levels; make it flatter.`
      this.#report.add({ code: 'too-deep', at, path: [], message })
      throw new TooDeep()
    }
    const isNew = createKeyCheck(this.#report)
    this.#stack.push({
      type,
      at,
      items: [],
      entries: [],
      isNew,
      key: undefined,
    })
  }

  key(name: string, at: Place): void {
    const holder = this.#stack.at(-1)
    if (holder) holder.key = { name, at }
  }

  scalar(value: unknown, at: Place): void {
    const place = { report: this.#report, path: this.#path() }
    this.#add(readScalar(value, at, place))
  }

  close(): void {
    const closed = this.#stack.pop()
    if (closed === undefined) return
    const { type, at, items, entries } = closed
    this.#add(type === 'map' ? { type, entries, at } : { type, items, at })
  }

  #add(node: ConfigNode): void {
    const holder = this.#stack.at(-1)
    if (holder === undefined) {
      this.root ??= node
      return
    }
    if (holder.type === 'list') {
      holder.items.push(node)
      return
    }
    const { key } = holder
    if (key === undefined || !holder.isNew(key.name, key.at, this.#path())) {
      return
    }
    holder.entries.push({ key: key.name, keyAt: key.at, node })
  }

  #path(): Path {
    return this.#stack.flatMap(({ type, items, key }): Path => {
      if (type === 'list') return [items.length]
      return key === undefined ? [] : [key.name]
    })
  }
}

const sentences: Readonly<Record<string, string>> = {
  InvalidSymbol: 'A word stands where no word can be; put text into quotes.',
  InvalidNumberFormat: 'A number is not written as JSON writes it.',
  PropertyNameExpected: 'A key in double quotes is missing here.',
  ValueExpected: 'A value is missing here.',
  ColonExpected: 'A colon is missing here.',
  CommaExpected: 'A comma is missing here.',
  CloseBraceExpected: 'A closing brace is missing here; is the file complete?',
  CloseBracketExpected:
    'A closing bracket is missing here; is the file complete?',
  EndOfFileExpected: 'Something follows the end of the object; remove it.',
  UnexpectedEndOfComment: 'A comment is not closed.',
  UnexpectedEndOfString: 'A text is not closed; add a double quote.',
  UnexpectedEndOfNumber: 'A number is not complete.',
  InvalidUnicode: 'A text has a bad \\u sequence; it takes four hex digits.',
  InvalidEscapeCharacter: 'A text has an escape that JSON does not know.',
  InvalidCharacter: 'A text holds a control character; write it as an escape.',
}

function sentenceOf(code: string): string {
  return sentences[code] ?? 'This is not JSON.'
}
