import { createContext, Script } from 'node:vm'
import type { RE2JS } from 're2js'

/** A pattern from a hook file, ready to be tried. */
type ForeignRegex =
  | {
      readonly test: (text: string) => boolean
      readonly isLinear: boolean
      /** Whether it fits for certain; absent: as `test` says. */
      readonly isSure?: (text: string) => boolean
    }
  | { readonly problem: string }

export interface RegexEngine {
  compile(pattern: string): ForeignRegex
}

const maxPattern = 2_000
/** How long a pattern that may take for ever is tried, and how often. */
const longestMs = 50
const mostTrials = 10

/**
 * Patterns are tried on an engine that takes linear time. What it does not
 * know, such as a look-ahead, goes to the platform's own, for a short time.
 */
export async function loadRegexEngine(): Promise<RegexEngine> {
  const { RE2JS } = await import('re2js')
  return { compile: (pattern) => compile(pattern, RE2JS) }
}

function compile(pattern: string, engine: typeof RE2JS): ForeignRegex {
  if (pattern.length > maxPattern) {
    return { problem: `is longer than ${maxPattern} characters` }
  }
  let regex: RegExp
  try {
    regex = new RegExp(pattern)
  } catch {
    return { problem: 'is not a regular expression' }
  }
  try {
    const compiled = engine.compile(pattern)
    const test = (text: string) => compiled.matcher(text).find()
    return { test, isLinear: true }
  } catch {
    return {
      // One that does not come to an end is taken to match: its hook runs.
      test: (text) => testInTime(regex, text) ?? true,
      isLinear: false,
      isSure: (text) => testInTime(regex, text) === true,
    }
  }
}

const trial = new Script('regex.test(text)')
let room: Record<string, unknown> | undefined

/** Absent: it does not come to an end. */
function testInTime(regex: RegExp, text: string): boolean | undefined {
  room ??= createContext({})
  Object.assign(room, { regex, text })
  for (let trials = 0; trials < mostTrials; trials++) {
    const before = process.threadCpuUsage()
    try {
      return trial.runInContext(room, { timeout: longestMs }) === true
    } catch {
      const { user, system } = process.threadCpuUsage(before)
      // Else the machine was busy, and it has hardly been tried.
      if ((user + system) / 1_000 > longestMs / 4) return undefined
    }
  }
  return undefined
}
