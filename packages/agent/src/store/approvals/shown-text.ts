import { countCodePoints, truncate } from 'hookline'
import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'

/** What is shown of something, and whether that is not all of it. */
export interface ShownText {
  readonly text: string
  readonly isCut: boolean
}

const maxValueChars = 4_000
const maxTextChars = 32_000

/**
 * Data as people are shown it: JSON in the order of its keys, on lines of its
 * own, with nothing in it that a screen would not show as it is. What is too
 * long ends in a mark outside the quotes, where no value can write.
 */
export function shownText(value: unknown): ShownText {
  const writer = new Writer()
  writer.write(value, '')
  return { text: writer.text, isCut: writer.isCut }
}

class Writer {
  text = ''
  isCut = false

  write(value: unknown, indent: string): void {
    if (this.#left() <= 0) {
      this.#mark(value, 'not shown')
      return
    }
    if (typeof value === 'string') this.#string(value)
    else if (typeof value !== 'object' || value === null) {
      this.text += canonicalJson(value)
    } else if (Array.isArray(value)) {
      this.#parts(
        '[]',
        value.map((item: unknown) => ['', item]),
        indent,
      )
    } else {
      const parts = Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .sort(([one], [other]) => (one < other ? -1 : 1))
      this.#parts('{}', parts, indent)
    }
  }

  #parts(
    [open = '', close = '']: string,
    parts: readonly (readonly [string, unknown])[],
    indent: string,
  ): void {
    this.text += open
    const inner = `${indent}  `
    for (const [index, [key, part]] of parts.entries()) {
      this.text += `${index === 0 ? '' : ','}\n${inner}`
      if (this.#left() <= 0) {
        // One mark for all that is left: marks, too, take up room.
        const rest = parts.slice(index)
        const left = open === '{' ? Object.fromEntries(rest) : rest.map(value)
        this.#mark(left, `${rest.length} more not shown`)
        break
      }
      if (open === '{') {
        this.#string(key)
        this.text += ': '
      }
      this.write(part, inner)
    }
    this.text += parts.length === 0 ? close : `\n${indent}${close}`
  }

  #string(whole: string): void {
    const max = Math.max(1, Math.min(maxValueChars, this.#left()))
    const { text, cut } = truncate(whole, max)
    this.text += visible(JSON.stringify(text))
    if (cut) this.#mark(whole, `${max} of ${countCodePoints(whole)} characters`)
  }

  #mark(whole: unknown, how: string): void {
    this.isCut = true
    const exact = typeof whole === 'string' ? whole : canonicalJson(whole)
    this.text += ` [cut: ${how}; SHA-256 ${sha256(exact)}]`
  }

  #left(): number {
    return maxTextChars - this.text.length
  }
}

function value([, part]: readonly [string, unknown]): unknown {
  return part
}

/**
 * Everything that has no shape of its own, or changes that of its neighbours:
 * controls, direction marks, joiners, fillers, tags, spaces that are not one.
 */
const invisible = /[\p{C}\p{DI}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/gu

function visible(json: string): string {
  return json.replace(invisible, (character) => {
    const point = character.codePointAt(0) ?? 0
    return `\\u{${point.toString(16).padStart(4, '0')}}`
  })
}
