import type { Spans } from '../../scan/spans.ts'
import { StoreError } from '../store-error.ts'

/** Shorter ones cannot be told from other text. */
export const minSecretChars = 8

const blockChars = 3
const tableSize = 4_096

/**
 * Finds certain texts, all in one pass: it looks at the end of where one could
 * stand, and mostly sees that none does, and how far it may go on (Wu and
 * Manber, 1994).
 */
export class ExactSecrets {
  readonly #needles = new Set<string>()
  readonly #skips = new Uint8Array(tableSize).fill(
    minSecretChars - blockChars + 1,
  )
  readonly #byBlock = new Map<number, string[]>()

  /** The secret, and the same as it looks in addresses, JSON and base64. */
  add(secret: string): void {
    if (secret.length < minSecretChars) {
      const message = `A secret of fewer than ${minSecretChars} characters cannot be told from other text.`
      throw new StoreError('invalid-options', message)
    }
    for (const form of formsOf(secret)) this.#addNeedle(form)
  }

  find(text: string, spans: Spans): void {
    if (this.#needles.size === 0) return
    let at = minSecretChars - blockChars
    const last = text.length - blockChars
    while (at <= last) {
      const block = blockOf(text, at)
      const skip = this.#skips[block] ?? 1
      if (skip > 0) {
        at += skip
        continue
      }
      const start = at - minSecretChars + blockChars
      for (const needle of this.#byBlock.get(block) ?? []) {
        if (text.startsWith(needle, start)) {
          spans.add(start, start + needle.length)
        }
      }
      at++
    }
  }

  #addNeedle(needle: string): void {
    if (this.#needles.has(needle)) return
    this.#needles.add(needle)
    const end = minSecretChars - blockChars
    for (let at = 0; at <= end; at++) {
      const block = blockOf(needle, at)
      const skip = this.#skips[block] ?? 0
      this.#skips[block] = Math.min(skip, end - at)
    }
    const block = blockOf(needle, end)
    const others = this.#byBlock.get(block) ?? []
    this.#byBlock.set(block, [...others, needle])
  }
}

function blockOf(text: string, at: number): number {
  const first = text.charCodeAt(at)
  const second = text.charCodeAt(at + 1)
  const third = text.charCodeAt(at + 2)
  return (first * 961 + second * 31 + third) & (tableSize - 1)
}

function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const url = encodeURIComponent(secret.toWellFormed())
  const forms = [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replaceAll('%20', '+'),
    Buffer.from(secret).toString('hex'),
    ...base64Forms(secret),
  ]
  return forms.filter((form) => form.length >= minSecretChars)
}

/** What is the same in base64 whatever stands before and after the secret. */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
    const start = Math.ceil((offset * 8) / 6)
    const end = Math.floor((bytes.length * 8) / 6)
    const base64 = bytes.toString('base64').slice(start, end)
    const url = bytes.toString('base64url').slice(start, end)
    return [base64, url]
  })
}
