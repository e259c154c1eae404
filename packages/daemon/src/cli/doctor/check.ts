/** What a check found. */
export interface Check {
  /** What was looked at. */
  readonly name: string
  readonly level: 'ok' | 'warning' | 'error'
  readonly message: string
  /** Nobody here wrote it, and all is well with it: people see the sum. */
  readonly isRoutine?: boolean
  /** Somebody has to look at it before it does anything. */
  readonly isUntrusted?: boolean
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
