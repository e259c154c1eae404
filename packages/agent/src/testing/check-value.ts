import { truncate } from 'hookline'
import { AgentError } from '../ports/agent-error.ts'

/** A place in a script, to be named in errors. */
export interface Place {
  readonly step: number
  /** Such as `calls[0].tool`; empty for the step itself. */
  readonly path: string
}

/** Throws an `AgentError` that names the place, if a value is not right. */
export type Check = (value: unknown, place: Place) => void

export function wrong({ step, path }: Place, what: string): AgentError {
  const shown = JSON.stringify(truncate(path, 80).text)
  const subject = path === '' ? `Step ${step}` : `Step ${step}: ${shown}`
  return new AgentError('invalid-script', `${subject} ${what}.`)
}

/** A check that has one thing to say. */
function checkThat(isRight: (value: unknown) => boolean, what: string): Check {
  return (value, place) => {
    if (!isRight(value)) throw wrong(place, what)
  }
}

export const checkText = checkThat(
  (value) => typeof value === 'string',
  'is not text',
)

export const checkFlag = checkThat(
  (value) => typeof value === 'boolean',
  'is neither true nor false',
)

export const checkCount = checkThat(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  'is not a whole number from 0 on',
)

export function checkOneOf<T extends string>(
  allowed: Readonly<Record<T, true>>,
): Check {
  const known = Object.keys(allowed)
  return checkThat(
    (value) => known.some((one) => one === value),
    `is none of ${known.join(', ')}`,
  )
}

export function checkList(check: Check): Check {
  return (value, { step, path }) => {
    if (!Array.isArray(value)) throw wrong({ step, path }, 'is not a list')
    for (const [index, item] of value.entries()) {
      check(item, { step, path: `${path}[${index}]` })
    }
  }
}

/** The keys of `T`, and how each is checked. */
export type Fields<T> = { readonly [K in keyof Required<T>]: Check }

type RequiredKey<T> = {
  [K in keyof T]-?: undefined extends T[K] ? never : K
}[keyof T]

/** Checks an object that has only these keys, and at least the needed ones. */
export function checkObject<T extends object>(
  fields: Fields<T>,
  needed: readonly (RequiredKey<T> & string)[],
): Check {
  const checks = new Map(Object.entries<Check>(fields))
  const known = [...checks.keys()].join(', ')
  return (value, place) => {
    if (!isRecord(value)) throw wrong(place, 'is not an object')
    for (const key of needed) {
      if (!Object.hasOwn(value, key)) throw wrong(place, `has no "${key}"`)
    }
    for (const [key, part] of Object.entries(value)) {
      const check = checks.get(key)
      if (!check) {
        const { text } = truncate(key, 80)
        const shown = JSON.stringify(text)
        throw wrong(place, `has an unknown key ${shown}; known: ${known}`)
      }
      check(part, within(place, key))
    }
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  )
}

export function within({ step, path }: Place, key: string): Place {
  return { step, path: path === '' ? key : `${path}.${key}` }
}
