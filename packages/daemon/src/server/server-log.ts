/** What the server writes down; any structured log fits. */
export interface ServerLog {
  info(name: string, about?: Readonly<Record<string, unknown>>): void
  warn(name: string, about?: Readonly<Record<string, unknown>>): void
  error(name: string, about?: Readonly<Record<string, unknown>>): void
}
