import { type Cursor, Unreadable } from './cursor.ts'
import { parseText, parseWord } from './parse-word.ts'
import type { Parts, RedirectSyntax } from './syntax.ts'

/** A here-document: its text begins on the next line. */
export function awaitText(cursor: Cursor, isIndented: boolean): RedirectSyntax {
  const word = parseWord(cursor)
  const end = word && plainText(word)
  if (end === undefined) throw new Unreadable('a here-document has no end')
  const isLiteral = word?.some((part) => part.type === 'text' && part.isQuoted)
  const redirect: RedirectSyntax = { kind: 'text', target: [] }
  const about = { end, isLiteral: isLiteral === true, isIndented }
  cursor.awaited.push({ redirect, ...about })
  return redirect
}

/** Reads the texts that were announced on the line that has ended. */
export function takeAwaited(cursor: Cursor): void {
  for (const { redirect, end, isLiteral, isIndented } of cursor.awaited) {
    const lines: string[] = []
    while (cursor.at < cursor.text.length) {
      const line = takeLine(cursor, isLiteral)
      const plain = isIndented ? line.replace(/^\t+/, '') : line
      if (plain === end) break
      lines.push(plain)
    }
    const text = lines.join('\n')
    redirect.body = isLiteral
      ? [{ type: 'text', text, isQuoted: true }]
      : parseText(cursor, text)
  }
  cursor.awaited.length = 0
}

/** A line; where escapes count, one that ends with a backslash goes on. */
function takeLine(cursor: Cursor, isLiteral: boolean): string {
  const parts: string[] = []
  // Shells take the end of the script for the end of the text.
  while (cursor.at < cursor.text.length) {
    const stop = cursor.text.indexOf('\n', cursor.at)
    const last = stop < 0 ? cursor.text.length : stop
    const line = cursor.text.slice(cursor.at, last)
    cursor.at = Math.min(last + 1, cursor.text.length)
    const [slashes = ''] = /\\*$/.exec(line) ?? []
    const goesOn = !isLiteral && stop >= 0 && slashes.length % 2 === 1
    parts.push(goesOn ? line.slice(0, -1) : line)
    if (!goesOn) break
  }
  return parts.join('')
}

function plainText(parts: Parts): string | undefined {
  const texts = parts.map((part) =>
    part.type === 'text' || part.type === 'brace' ? part.text : undefined,
  )
  return texts.includes(undefined) ? undefined : texts.join('')
}
