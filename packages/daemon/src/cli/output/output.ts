import { styleText } from 'node:util'
import { plainJson } from './plain-text.ts'
import { type Column, renderTable } from './table.ts'

export type Style = Parameters<typeof styleText>[0]

/** Where something is written, as far as it is looked at here. */
interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface OutputOptions {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
  /** Results are for programs. */
  readonly isJson: boolean
}

/**
 * How commands speak: results on stdout, everything else on stderr. Whatever
 * is given is written as it is; text of others goes through `plain…` before.
 */
export class Output {
  readonly isJson: boolean
  /** Whether a person sees the results. */
  readonly isTerminal: boolean
  /** Whether a person sees what is said beside them. */
  readonly isNoteTerminal: boolean
  /** Whether what was said there can be drawn over. */
  readonly canRedraw: boolean
  readonly #options: OutputOptions
  readonly #hasColour: boolean
  readonly #hasNoteColour: boolean
  #isClosed = false

  constructor(options: OutputOptions) {
    const { stdout, stderr, env } = options
    this.#options = options
    this.isJson = options.isJson
    this.isTerminal = stdout.isTTY === true
    this.isNoteTerminal = stderr.isTTY === true
    this.canRedraw = this.isNoteTerminal && env['TERM'] !== 'dumb'
    this.#hasColour = wantsColour(env, this.isTerminal)
    this.#hasNoteColour = wantsColour(env, this.isNoteTerminal)
  }

  // A terminal that does not know its width says 0.
  get columns(): number {
    return this.#options.stdout.columns || 80
  }

  get noteColumns(): number {
    return this.#options.stderr.columns || 80
  }

  /** Nobody reads any more: from now on nothing is written. */
  close(): void {
    this.#isClosed = true
  }

  write(text: string): void {
    if (!this.#isClosed) this.#options.stdout.write(text)
  }

  line(text = ''): void {
    this.write(`${text}\n`)
  }

  /** Something for people, beside the results. */
  note(text: string): void {
    this.writeNote(`${text}\n`)
  }

  writeNote(text: string): void {
    if (!this.#isClosed) this.#options.stderr.write(text)
  }

  style(style: Style, text: string): string {
    return this.#hasColour ? paint(style, text) : text
  }

  noteStyle(style: Style, text: string): string {
    return this.#hasNoteColour ? paint(style, text) : text
  }

  /** One value, for programs; easy on the eye where a person looks. */
  json(value: unknown): void {
    this.line(plainJson(JSON.stringify(value, null, this.isTerminal ? 2 : 0)))
  }

  /** One of many values: each on a line of its own. */
  jsonLine(value: unknown): void {
    this.line(plainJson(JSON.stringify(value)))
  }

  /** Columns on a terminal; elsewhere values with tabs between them, uncut. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
    const text = renderTable(rows, columns, {
      ...(this.isTerminal && { width: this.columns }),
      style: (style, cell) => this.style(style, cell),
    })
    if (text !== '') this.line(text)
  }
}

function paint(style: Style, text: string): string {
  return styleText(style, text, { validateStream: false })
}

function wantsColour(
  { FORCE_COLOR, NO_COLOR, TERM }: OutputOptions['env'],
  isTerminal: boolean,
): boolean {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') {
    return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  }
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  return isTerminal && TERM !== 'dumb'
}
