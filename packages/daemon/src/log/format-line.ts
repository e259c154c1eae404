import { cutText } from './bound-data.ts'
import type { LogData, LogLevel } from './log.ts'

/** One thing that happened, without secrets. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly level: LogLevel
  readonly event: string
  readonly data: LogData
}

const maxLineChars = 16_384
const maxValueChars = 2_000

/** A line of JSON: `at`, `level`, `event`, and then what it is about. */
export function formatJson({ at, level, event, data }: LogEntry): string {
  const head = { at: new Date(at).toISOString(), level, event }
  const line = jsonOf({ ...data, ...head })
  if (line.length <= maxLineChars) return line
  const keys = Object.keys(data).slice(0, 50)
  const start = cutText(jsonOf(data), maxValueChars)
  return jsonOf({ ...head, cut: line.length, keys, start })
}

function jsonOf(value: object): string {
  const short = (_: string, one: unknown) =>
    typeof one === 'string' ? cutText(one, maxValueChars) : one
  return escapeControls(JSON.stringify(value, short))
}

const colours: Readonly<Record<LogLevel, string>> = {
  debug: '\u001b[2m',
  info: '\u001b[36m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
}
const plain = '\u001b[0m'

/** The same for people: time, event, and what it is about. */
export function formatText(
  { at, level, event, data }: LogEntry,
  { hasColour }: { readonly hasColour: boolean },
): string {
  const time = new Date(at).toISOString().slice(11, 19)
  const word = escapeControls(cutText(event, 200))
  const shown = hasColour ? `${colours[level]}${word}${plain}` : word
  const mark = level === 'error' || level === 'warn' ? `${level} ` : ''
  const parts = Object.entries(data).map(
    ([key, value]) => `${cutText(key, 100)}=${valueText(value)}`,
  )
  const rest = escapeControls(cutText(parts.join(' '), maxLineChars))
  return `${time} ${mark}${shown}${rest === '' ? '' : ` ${rest}`}`
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const cut = cutText(text ?? '', maxValueChars)
  return /^[\w./:@-]+$/.test(cut) ? cut : JSON.stringify(cut)
}

/** Nothing in a line moves a cursor, hides text or begins another line. */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) =>
    Array.from({ length: found.length }, (_, at) => {
      const code = found.charCodeAt(at).toString(16)
      return `\\u${code.padStart(4, '0')}`
    }).join(''),
  )
}
