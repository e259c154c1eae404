/** Says what is wrong with a value, in words that never repeat it. */
export type Check = (value: unknown) => string | undefined

/** Checks an object property by property; all that `T` has must be listed. */
export function checkObject<T extends object>(
  checks: {
    readonly [K in keyof Required<T>]: Check
  },
): Check {
  const entries = Object.entries<Check>(checks)
  return (value) => {
    if (!isObject(value)) return 'is not an object'
    for (const [name, check] of entries) {
      const property = Object.hasOwn(value, name) ? value[name] : undefined
      const problem = check(property)
      if (problem !== undefined) return `has a "${name}" that ${problem}`
    }
    return undefined
  }
}

/** The same where a property more could only be a slip. */
export function checkExactObject<T extends object>(
  checks: Parameters<typeof checkObject<T>>[0],
): Check {
  const check = checkObject<T>(checks)
  return (value) => {
    const isKnown = (name: string) => Object.hasOwn(checks, name)
    if (isObject(value) && !Object.keys(value).every(isKnown)) {
      return `has more than: ${Object.keys(checks).join(', ')}`
    }
    return check(value)
  }
}

const namePattern = /^[\w.:/@-]{1,128}$/

/** Names are safe to show: they appear in diagnostics, values never do. */
export const checkName: Check = (value) =>
  typeof value === 'string' && namePattern.test(value)
    ? undefined
    : 'is not a name of letters, digits and . : / @ _ - (at most 128)'

export const checkText: Check = (value) =>
  typeof value === 'string' ? undefined : 'is not text'

export const checkWords: Check = (value) =>
  typeof value === 'string' && value.trim() !== ''
    ? undefined
    : 'is not text with something in it'

export const checkNumber: Check = (value) =>
  Number.isFinite(value) ? undefined : 'is not a finite number'

export const checkCount: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? undefined
    : 'is not a whole number from 0 on'

export const checkFlag: Check = (value) =>
  typeof value === 'boolean' ? undefined : 'is neither true nor false'

/** That it is data has been checked by the engine. */
export const checkPresent: Check = (value) =>
  value === undefined ? 'is missing' : undefined

export const checkRecord: Check = (value) =>
  isObject(value) ? undefined : 'is not an object'

export function checkOneOf(...allowed: readonly string[]): Check {
  return (value) =>
    allowed.some((one) => one === value)
      ? undefined
      : `is none of ${allowed.join(', ')}`
}

export function checkList(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return 'is not a list'
    for (const [index, item] of value.entries()) {
      const problem = check(item)
      if (problem !== undefined) return `has an entry ${index} that ${problem}`
    }
    return undefined
  }
}

export function optional(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
