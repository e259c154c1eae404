import { matchAll, matchAny } from '../shared/shell/judge-reading.ts'
import { readShell } from '../shared/shell/read-shell.ts'
import { compileRules } from '../shared/shell/rule-book.ts'
import type { Folder } from '../shared/shell/shell-state.ts'

export interface CommandRules {
  readonly deny: readonly string[]
  readonly ask: readonly string[]
  readonly allow: readonly string[]
  /** For what cannot be known. */
  readonly unknown: 'ask' | 'deny'
  /** For what no rule is about. */
  readonly otherwise: 'allow' | 'ask' | 'deny'
}

export interface Judgement {
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly why: string
}

/** Judges commands by rules: the strictest one counts. */
export function commandJudge(
  rules: CommandRules,
): (command: string, folders?: readonly Folder[]) => Judgement {
  const deny = compileRules(rules.deny)
  const ask = compileRules(rules.ask)
  const allow = compileRules(rules.allow)
  return (command, folders) => {
    const reading = readShell(command, folders)
    const denied = matchAny(reading, deny)
    if (denied.certainty === 'yes') {
      return { decision: 'deny', why: `it does "${denied.source}"` }
    }
    const [unknown] = reading.unknown
    if (unknown !== undefined) {
      // Code that comes from elsewhere is the worst of the unknown.
      const isLoaded = matchAny(reading, downloaders).certainty === 'yes'
      const decision = isLoaded ? 'deny' : rules.unknown
      return { decision, why: `it cannot be known what it does: ${unknown}` }
    }
    if (denied.certainty === 'maybe') {
      const why = `it can turn out to do "${denied.source}"`
      return { decision: rules.unknown, why }
    }
    const asked = matchAny(reading, ask)
    if (asked.certainty !== 'no') {
      return { decision: 'ask', why: `it does "${asked.source}"` }
    }
    if (matchAll(reading, allow)) return { decision: 'allow', why: '' }
    return { decision: rules.otherwise, why: 'no rule allows it' }
  }
}

const downloaders = compileRules(['curl *', 'wget *', 'fetch *', 'aria2c *'])
