import type { JsonValue } from 'hookline/lifecycle'
import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { Place } from './finding.ts'

/** A JSON text whose values know where they stand. */
export interface JsonFile {
  readonly root: JsonEntry | undefined
  readonly problems: readonly JsonFileProblem[]
}

interface JsonFileProblem {
  readonly code: 'not-json' | 'duplicate-key' | 'too-large'
  readonly message: string
  readonly place: Place
}

/** A value with its place. Members and items are read when they are asked for. */
export interface JsonEntry {
  readonly value: JsonValue
  readonly place: Place
  /** Where its key stands; else as `place`. */
  readonly keyPlace: Place
  readonly members: ReadonlyMap<string, JsonEntry>
  readonly items: readonly JsonEntry[]
}

const maxChars = 1_048_576

/** Reads a settings file; comments and trailing commas do no harm. */
export function readJsonFile(given: string): JsonFile {
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  const start = { line: 1, column: 1 }
  if (text.length > maxChars) {
    const message = `The file is longer than ${maxChars} characters.`
    return {
      root: undefined,
      problems: [{ code: 'too-large', message, place: start }],
    }
  }
  try {
    return readTree(text)
  } catch {
    // The reader goes as deep as the file does.
    const message = 'The file nests too deep to be read.'
    return {
      root: undefined,
      problems: [{ code: 'too-large', message, place: start }],
    }
  }
}

function readTree(text: string): JsonFile {
  const placeAt = placesOf(text)
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const problems: JsonFileProblem[] = errors.map(({ error, offset }) => ({
    code: 'not-json',
    message: `The file is not JSON: ${printParseErrorCode(error)}.`,
    place: placeAt(offset),
  }))
  if (tree === undefined) {
    const message = 'The file is empty.'
    const place = { line: 1, column: 1 }
    if (problems.length === 0) {
      problems.push({ code: 'not-json', message, place })
    }
    return { root: undefined, problems }
  }
  const root = entryOf(tree, placeAt, problems)
  return { root, problems }
}

type PlaceAt = (offset: number) => Place

function entryOf(
  node: Node,
  placeAt: PlaceAt,
  problems: JsonFileProblem[],
  key: Node = node,
): JsonEntry {
  const members = new Map<string, JsonEntry>()
  for (const { children = [] } of node.type === 'object'
    ? (node.children ?? [])
    : []) {
    const [name, value] = children
    if (name === undefined || value === undefined) continue
    const text = String(name.value)
    if (members.has(text)) {
      const place = placeAt(name.offset)
      const message = `The key "${text}" is there twice; the last one counts.`
      problems.push({ code: 'duplicate-key', message, place })
    }
    members.set(text, entryOf(value, placeAt, problems, name))
  }
  const children = node.type === 'array' ? (node.children ?? []) : []
  return {
    value: plain(node),
    place: placeAt(node.offset),
    keyPlace: placeAt(key.offset),
    members,
    items: children.map((child) => entryOf(child, placeAt, problems)),
  }
}

/** Its own properties only, whatever the keys are called. */
function plain(node: Node): JsonValue {
  if (node.type === 'array') return (node.children ?? []).map(plain)
  // What a parser of JSON gives for the rest is JSON.
  if (node.type !== 'object') return getNodeValue(node) as JsonValue
  const entries = (node.children ?? []).flatMap(
    ({ children: [name, value] = [] }): [string, JsonValue][] =>
      name === undefined || value === undefined
        ? []
        : [[String(name.value), plain(value)]],
  )
  return Object.fromEntries(entries)
}

function placesOf(text: string): PlaceAt {
  const starts = [0]
  for (
    let at = text.indexOf('\n');
    at !== -1;
    at = text.indexOf('\n', at + 1)
  ) {
    starts.push(at + 1)
  }
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}
