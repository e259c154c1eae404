import { configError } from './config-error.ts'
import { readLimits, type SomeLimits } from './limits.ts'

export const limitKeys = [
  'sandbox',
  'roots',
  'network',
  'timeoutMs',
  'maxOutputBytes',
] as const

const expected: Readonly<Record<string, string>> = {
  sandbox: 'is none of none, workspace, read_only',
  roots: 'is not a list of POSIX paths',
  network: 'is neither none, all, nor { hosts } such as *.example.com',
  timeoutMs: 'is not a positive number',
  maxOutputBytes: 'is not a positive number',
}

/** Reads limits that somebody wrote down; whatever is wrong is an error. */
export function configuredLimits(given: object, at: string): SomeLimits {
  const { limits, unreadable } = readLimits(given)
  const [key] = unreadable
  if (key !== undefined) {
    throw configError(`${at}${key}`, expected[key] ?? 'cannot be read')
  }
  for (const key of ['timeoutMs', 'maxOutputBytes'] as const) {
    if (limits[key] !== 0) continue
    throw configError(`${at}${key}`, 'is not a positive number')
  }
  return limits
}
