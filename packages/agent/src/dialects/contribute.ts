import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { notice, promptContext } from 'hookline/lifecycle'
import type { AnyContext, DialectName } from './dialect.ts'
import type { Kind } from './kind.ts'
import type { Merged } from './merge-verdicts.ts'
import type { LabelledText } from './session-memory.ts'
import { withoutColours } from './without-colours.ts'
import { words } from './words.ts'

interface Contributing {
  readonly dialect: DialectName
  readonly dataDir: string
  readonly context: AnyContext
}

/** Hands on what is for the model and for the user, where the point takes it. */
export function contribute(
  said: Merged,
  { capabilities, isCarried }: Kind,
  to: Contributing,
): void {
  const told = said.context.map(({ hook, text }) => words.label(hook, text))
  if (capabilities.includes('context')) contributeContext(told, to)
  else if (told.length > 0 && !isCarried) lose(to, 'context for the model')
  if (capabilities.includes('notice')) {
    for (const message of said.notices) {
      const isEmpty = message.trim() === ''
      if (!isEmpty) to.context.contribute(notice({ message: cut(message, to) }))
    }
  } else if (said.notices.length > 0) lose(to, 'a message for the user')
}

/**
 * Context is data with a label, never anybody's voice; it stays in the
 * conversation, as it does in the product.
 */
export function contributeContext(
  told: readonly LabelledText[],
  to: Contributing,
): void {
  for (const [index, { label, file, text }] of told.entries()) {
    const content = cut(text, to)
    if (content.trim() === '') continue
    const id = index === 0 ? label : `${label}:${index}`
    const entry = { id, domain: to.dialect, content, sources: [file] }
    to.context.contribute(promptContext({ ...entry, isDurable: true }))
  }
}

function lose({ context }: Contributing, what: string): void {
  context.diagnose(
    'not-honoured',
    `A hook gives ${what}, which has no place here.`,
  )
}

const maxChars = 10_000
const previewChars = 2_000

// Controls except tab and newline, and the marks that reorder text.
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A long text goes to a file; its beginning says where, or that it is cut. */
function cut(given: string, { dataDir, context }: Contributing): string {
  const plain = withoutColours(given.toWellFormed())
  const text = plain.replace(unprintable, '')
  if (text.length <= maxChars) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const folder = join(dataDir, 'texts')
  const file = join(folder, `${hash}.txt`)
  const preview = text.slice(0, previewChars).replace(/[\ud800-\udbff]$/, '')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, text, { mode: 0o600 })
  } catch {
    const message = `A text of ${text.length} characters was cut, and could not be kept in "${folder}".`
    context.diagnose('text-cut', message)
    return `${preview}\n[Cut here: there were ${text.length} characters, and the rest could not be kept.]`
  }
  return `${preview}\n[${text.length} characters; all of them are in ${file}]`
}
