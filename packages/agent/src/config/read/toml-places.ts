import type { Place } from '../node.ts'
import { type Path, pathText } from '../problem.ts'
import { maxDepth } from './limits.ts'
import { createLineIndex } from './line-index.ts'

interface WrittenAt {
  readonly key: Place
  readonly value: Place
}

/**
 * Where a TOML text says what, by path. The text has been parsed before, so
 * that it is known to be right: this only looks for the places.
 */
export function findTomlPlaces(text: string): ReadonlyMap<string, WrittenAt> {
  const scan = new TomlScan(text)
  scan.run()
  return scan.found
}

const space = /[ \t]*/y
const blank = /(?:[ \t\r\n]+|#[^\n]*)*/y
const bareKey = /[A-Za-z0-9_-]+/y
const basicText = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y
const literalText = /'[^'\n]*'/y
const longBasicText = /"""[^"\\]*(?:(?:\\[\s\S]|""?(?!"))[^"\\]*)*"""+/y
const longLiteralText = /'''[^']*(?:''?(?!')[^']*)*'''+/y
const bareValue = /[^,\]}#\n]*/y

class TomlScan {
  readonly found = new Map<string, WrittenAt>()
  readonly #text: string
  readonly #placeOf: (offset: number) => Place
  /** How many tables a list of tables has so far. */
  readonly #counts = new Map<string, number>()
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#placeOf = createLineIndex(text)
  }

  run(): void {
    let table: Path = []
    for (this.#take(blank); this.#at < this.#text.length; this.#take(blank)) {
      const start = this.#at
      if (this.#text[this.#at] === '[') table = this.#header()
      else this.#pair(table)
      // Not to be had in a text that is right; better no place than no end.
      if (this.#at === start) return
    }
  }

  #header(): Path {
    const offset = this.#at
    const isList = this.#text.startsWith('[[', offset)
    this.#at += isList ? 2 : 1
    const keys = this.#keys()
    this.#at += isList ? 2 : 1
    const path = this.#resolve(isList ? keys.slice(0, -1) : keys)
    const last = keys.at(-1)
    if (!isList || last === undefined) {
      this.#record(path, offset, offset)
      return path
    }
    const list = [...path, last]
    const count = this.#counts.get(pathText(list)) ?? 0
    this.#counts.set(pathText(list), count + 1)
    this.#record(list, offset, offset)
    this.#record([...list, count], offset, offset)
    return [...list, count]
  }

  /** A list of tables on the way stands for its last one. */
  #resolve(keys: readonly string[]): Path {
    const path: (string | number)[] = []
    for (const key of keys) {
      path.push(key)
      const count = this.#counts.get(pathText(path))
      if (count !== undefined) path.push(count - 1)
    }
    return path
  }

  #pair(table: Path): void {
    const offset = this.#at
    const path = [...table, ...this.#keys()]
    this.#at++
    this.#take(space)
    this.#value(path, offset)
  }

  #keys(): string[] {
    const keys: string[] = []
    for (;;) {
      this.#take(space)
      keys.push(this.#key())
      this.#take(space)
      if (this.#text[this.#at] !== '.') return keys
      this.#at++
      // Nobody reads that deep, and looking it up would take for ever.
      if (keys.length > maxDepth) this.#at = this.#text.length
    }
  }

  #key(): string {
    const quoted = this.#take(basicText)
    if (quoted !== '') return textIn(quoted)
    const literal = this.#take(literalText)
    return literal === '' ? this.#take(bareKey) : literal.slice(1, -1)
  }

  #value(path: Path, keyOffset: number): void {
    this.#record(path, keyOffset, this.#at)
    const first = this.#text[this.#at]
    if (first === '[') this.#list(path)
    else if (first === '{') this.#inlineTable(path)
    else {
      const isTaken = [longBasicText, longLiteralText, basicText, literalText]
      if (!isTaken.some((pattern) => this.#take(pattern))) this.#take(bareValue)
    }
  }

  #list(path: Path): void {
    this.#parts(']', (index) => this.#value([...path, index], this.#at))
  }

  #inlineTable(path: Path): void {
    this.#parts('}', () => this.#pair(path))
  }

  #parts(end: string, take: (index: number) => void): void {
    this.#at++
    for (let index = 0; ; index++) {
      this.#take(blank)
      if (this.#text[this.#at] === end || this.#at >= this.#text.length) break
      take(index)
      this.#take(blank)
      if (this.#text[this.#at] === ',') this.#at++
    }
    this.#at++
  }

  #record(path: Path, keyOffset: number, valueOffset: number): void {
    const name = pathText(path)
    if (this.found.has(name)) return
    const key = this.#placeOf(keyOffset)
    this.found.set(name, { key, value: this.#placeOf(valueOffset) })
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const taken = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += taken.length
    return taken
  }
}

function textIn(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    // An escape of TOML's own; then its place is that of what holds it.
    return quoted
  }
}
