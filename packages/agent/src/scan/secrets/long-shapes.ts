import { type Anchor, readRun } from './anchor.ts'

const word = /[\w-]*/y
const minPartChars = 8

/** Two or three parts in base64, of which the first is a JSON object. */
export const webToken: Anchor = {
  prefix: 'eyJ',
  find(text, at, spans) {
    const head = readRun(text, word, at)
    if (text[head] !== '.') return head
    const body = readRun(text, word, head + 1)
    const shorter = Math.min(head - at, body - head - 1)
    // Another may begin after the first dot.
    if (shorter < minPartChars) return head
    const end = text[body] === '.' ? readRun(text, word, body + 1) : body
    spans.add(at, end, 'jwt')
    return end
  },
}

const maxTitleChars = 64
const dashes = '-----'

/** To the end of the text, where the end of the key was cut off. */
export const privateKey: Anchor = {
  prefix: '-----BEGIN ',
  find(text, at, spans) {
    const start = at + privateKey.prefix.length
    const title = text.slice(start, start + maxTitleChars)
    if (!title.includes('PRIVATE KEY')) return start
    const closing = text.indexOf('-----END ', start)
    const tail =
      closing === -1 ? -1 : text.indexOf(dashes, closing + dashes.length)
    const end = tail === -1 ? text.length : tail + dashes.length
    spans.add(at, end, 'private-key')
    return end
  },
}

const authority = /[^\s/?#"'`<>\\]*/y

/** What stands before the @ of an address. */
export const userInfo: Anchor = {
  prefix: '://',
  find(text, at, spans) {
    const start = at + 3
    const end = readRun(text, authority, start)
    const sign = text.slice(start, end).lastIndexOf('@')
    if (sign > 0) spans.add(start, start + sign, 'url')
    return end
  },
}

const userAndPassword = /["']?[^\s:"']{1,64}:[^\s"']{1,256}/y

/** As in `curl -u name:password`. */
export function curlUser(flag: string): Anchor {
  const prefix = ` ${flag} `
  return {
    prefix,
    find(text, at, spans) {
      const start = at + prefix.length
      userAndPassword.lastIndex = start
      if (userAndPassword.test(text)) {
        spans.add(start, userAndPassword.lastIndex, 'user')
      }
      return start
    },
  }
}
