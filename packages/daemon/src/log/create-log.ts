import { boundData, cutText } from './bound-data.ts'
import { formatJson, formatText, type LogEntry } from './format-line.ts'
import {
  type LogData,
  type LogLevel,
  type LogRedactor,
  logLevels,
  type OpenLog,
} from './log.ts'

export interface LogOptions {
  /** What is below it is not written; default `info`. */
  readonly level?: LogLevel
  /** `text`: for people. Default: that on a terminal, else JSON. */
  readonly format?: 'json' | 'text'
  readonly hasColour?: boolean
  /** Takes a line without its end; default: the standard error. */
  readonly write?: (line: string) => void
  readonly redactor?: LogRedactor
  /** Milliseconds since 1970; default: the time of the system. */
  readonly now?: () => number
}

/**
 * A log of lines, one for each event. Secrets are taken out, control
 * characters are escaped, long lines are cut; it never throws.
 */
export function createLog(options: LogOptions = {}): OpenLog {
  const { write = toStandardError(), now = Date.now } = options
  const isTerminal = process.stderr.isTTY === true
  const { format = isTerminal ? 'text' : 'json' } = options
  const { hasColour = isTerminal && !process.env['NO_COLOR'] } = options
  const shared: Shared = {
    level: options.level ?? 'info',
    redactor: options.redactor ?? nothingHidden,
    tell(entry) {
      write(
        format === 'json'
          ? formatJson(entry)
          : formatText(entry, { hasColour }),
      )
    },
    now,
  }
  return new SharedLog(shared, {})
}

interface Shared {
  level: LogLevel
  redactor: LogRedactor
  readonly tell: (entry: LogEntry) => void
  readonly now: () => number
}

class SharedLog implements OpenLog {
  readonly #shared: Shared
  readonly #data: LogData

  constructor(shared: Shared, data: LogData) {
    this.#shared = shared
    this.#data = data
  }

  debug(event: string, data?: LogData): void {
    this.#tell('debug', event, data)
  }

  info(event: string, data?: LogData): void {
    this.#tell('info', event, data)
  }

  warn(event: string, data?: LogData): void {
    this.#tell('warn', event, data)
  }

  error(event: string, data?: LogData): void {
    this.#tell('error', event, data)
  }

  with(data: LogData): OpenLog {
    return new SharedLog(this.#shared, { ...this.#data, ...data })
  }

  setLevel(level: LogLevel): void {
    this.#shared.level = level
  }

  redactWith(redactor: LogRedactor): void {
    this.#shared.redactor = redactor
  }

  #tell(level: LogLevel, event: string, data: LogData = {}): void {
    const { redactor, tell, now } = this.#shared
    const isWanted =
      logLevels.indexOf(level) >= logLevels.indexOf(this.#shared.level)
    if (!isWanted) return
    try {
      const bounded = boundData({ ...this.#data, ...data })
      const clean: unknown = redactor.data(bounded)
      tell({
        at: now(),
        level,
        event: redactor.text(cutText(String(event), 200)),
        data: isRecord(clean) ? clean : {},
      })
    } catch {
      // Whoever works must not stop because nobody can be told.
    }
  }
}

function isRecord(value: unknown): value is LogData {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const nothingHidden: LogRedactor = {
  text: (text) => text,
  data: (value) => value,
}

let isGuarded = false

function toStandardError(): (line: string) => void {
  // Whoever read it may have gone; that is no reason to end.
  if (!isGuarded) process.stderr.on('error', () => {})
  isGuarded = true
  return (line) => void process.stderr.write(`${line}\n`)
}
