import { CliError } from './cli-error.ts'
import { readDuration } from './output/times.ts'

/** What a command was given by name, read as what it should be. */
export class GivenOptions {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }

  /** The same, and these. */
  with(values: Readonly<Record<string, unknown>>): GivenOptions {
    return new GivenOptions({ ...this.#values, ...values })
  }

  text(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }

  flag(name: string): boolean {
    return this.#values[name] === true
  }

  /** All values of an option that may be repeated. */
  list(name: string): readonly string[] {
    const value = this.#values[name]
    if (!Array.isArray(value)) return []
    return value.filter((one) => typeof one === 'string')
  }

  /** A whole number, up to `max` where there is a limit. */
  number(
    name: string,
    { max = Infinity }: { readonly max?: number } = {},
  ): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (/^\d{1,15}$/.test(text) && Number(text) <= max) return Number(text)
    const limit = max === Infinity ? '' : ` from 0 to ${max}`
    throw wrong(name, { text, wanted: `a whole number${limit}` })
  }

  /** A span of time in milliseconds. */
  durationMs(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const ms = readDuration(text)
    if (ms !== undefined) return ms
    throw wrong(name, { text, wanted: 'a time such as 30s, 10m, 2h or 7d' })
  }

  /** An object, written as JSON. */
  jsonObject(name: string): Record<string, unknown> | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = parse(text)
    if (isRecord(value)) return value
    throw wrong(name, { text, wanted: 'an object in JSON' })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrong(
  name: string,
  { text, wanted }: { readonly text: string; readonly wanted: string },
): CliError {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const message = `"--${flag}" takes ${wanted}, and was given "${text}".`
  return new CliError('usage', message)
}
