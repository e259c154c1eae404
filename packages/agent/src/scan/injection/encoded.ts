import type { Finding } from '../finding.ts'

const base64 = /(?<![\w+/=-])[A-Za-z0-9+/_-]{32,4000}={0,2}(?![\w+/=-])/g

/** Base64 of what would be found if it were written plainly. */
export function findEncoded(
  text: string,
  find: (text: string) => readonly Finding[],
): readonly Finding[] {
  return Array.from(text.matchAll(base64)).flatMap(({ index, 0: code }) => {
    const plain = Buffer.from(code, 'base64').toString()
    const isText = /^[\x20-\x7e\s\u00a0-\uffee]+$/.test(plain)
    if (!isText || find(plain).length === 0) return []
    return [{ kind: 'encoded', start: index, end: index + code.length }]
  })
}
