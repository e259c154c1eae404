/** What a check found. */
export interface Check {
  /** What was looked at. */
  readonly name: string
  readonly level: 'ok' | 'warning' | 'error'
  readonly message: string
}

export const ok = (name: string, message: string): Check => {
  return { name, level: 'ok', message }
}

export const warning = (name: string, message: string): Check => {
  return { name, level: 'warning', message }
}

export const failure = (name: string, message: string): Check => {
  return { name, level: 'error', message }
}
