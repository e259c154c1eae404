export const logLevels = ['debug', 'info', 'warn', 'error'] as const

export type LogLevel = (typeof logLevels)[number]

/** Plain data, and errors; whatever else there is, is written as text. */
export type LogData = Readonly<Record<string, unknown>>

/** What a program tells whoever runs it: an event each, as `session-opened`. */
export interface Log {
  debug(event: string, data?: LogData): void
  info(event: string, data?: LogData): void
  warn(event: string, data?: LogData): void
  error(event: string, data?: LogData): void
  /** The same with something that all its lines have. */
  with(data: LogData): Log
}

/** Takes secrets out; the one of the store will do. */
export interface LogRedactor {
  text(text: string): string
  data(value: unknown): unknown
}

/** A log, for whoever made it. */
export interface OpenLog extends Log {
  setLevel(level: LogLevel): void
  /** From now on another one takes the secrets out. */
  redactWith(redactor: LogRedactor): void
}
