import { RE2JS } from 're2js'
import { described, type Shape, text } from '../../../define-hooks.ts'
import { foldText } from './fold-text.ts'
import type { Found } from './found.ts'

const maxSourceLength = 1_000
const maxTextLength = 1_000_000
const maxFound = 1_000

/**
 * Finds a pattern anywhere in a text, also where what nobody sees stands in
 * between. It takes time in proportion to the text, whatever is in both.
 */
export function compilePattern(
  source: string,
  rule: string,
): (text: string) => readonly Found[] {
  const regex = RE2JS.compile(source)
  return (text) => {
    checkLength(text)
    const found = findAll(regex, text)
    const folded = foldText(text, 'plain')
    const inFolded = folded.text === text ? [] : findAll(regex, folded.text)
    const mapped = inFolded.map(([start, end]): [number, number] => [
      folded.starts[start] ?? text.length,
      folded.ends[end - 1] ?? text.length,
    ])
    return [...found, ...mapped].map(([start, end]) => ({ rule, start, end }))
  }
}

function findAll(regex: RE2JS, text: string): [number, number][] {
  const matcher = regex.matcher(text)
  const found: [number, number][] = []
  while (matcher.find()) {
    // What is empty is nothing that was found.
    if (matcher.end() > matcher.start()) {
      found.push([matcher.start(), matcher.end()])
    }
    if (found.length > maxFound) {
      throw new Error(`A pattern is found more than ${maxFound} times.`)
    }
  }
  return found
}

/** Replaces every match; `$1` and `${name}` are what groups have matched. */
export function compileReplace(
  source: string,
  replacement: string,
): (text: string) => string {
  const regex = RE2JS.compile(source)
  return (text) => {
    checkLength(text)
    return regex.matcher(text).replaceAll(replacement)
  }
}

/** For `$regex` in conditions: it has to match the whole text. */
export function compileWholeMatch(source: string): (text: string) => boolean {
  if (source.length > maxSourceLength) {
    throw new Error(`it is longer than ${maxSourceLength} characters`)
  }
  const regex = RE2JS.compile(source, RE2JS.DOTALL)
  return (text) => {
    checkLength(text)
    return regex.matches(text)
  }
}

function checkLength(text: string): void {
  if (text.length <= maxTextLength) return
  const message = `A text is longer than ${maxTextLength} characters, which no pattern is tried on.`
  throw new Error(message)
}

const source = text({ maxLength: maxSourceLength })

/** A pattern that RE2 takes: no look-around, no back-references. */
export const pattern: Shape<string> = {
  ...described(source, 'An RE2 pattern, found anywhere in a text.'),
  read(node, reading) {
    const value = source.read(node, reading)
    if (value === undefined) return undefined
    try {
      RE2JS.compile(value)
      return value
    } catch (error) {
      const said = error instanceof Error ? error.message : 'it is no pattern'
      const message = `\`${reading.path.join('.')}\` cannot be used: ${said}.`
      const { path } = reading
      reading.report.add({ code: 'bad-regex', at: node.at, path, message })
      return undefined
    }
  },
}
