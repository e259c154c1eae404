import { hiddenCommands } from './hidden-commands.ts'
import { programName } from './inner-commands.ts'
import type { ShellCommand, ShellReading } from './reading.ts'
import type { RuleBook, RuleBooks } from './rule-book.ts'
import { type Certainty, isKnown } from './word.ts'

export interface Matched {
  readonly certainty: Certainty
  /** The rule that matched. */
  readonly source?: string
}

/** Whether any command is what one of some rules says; the surest one counts. */
export function matchAny(
  { commands }: ShellReading,
  rules: RuleBooks,
): Matched {
  const found = matchCommands(commands, rules)
  if (found.certainty !== 'no') return found
  const { telling } = rules
  const hiding = hiddenCommands(commands, telling.byProgram)
  if (hiding === undefined) return { certainty: 'maybe', source: 'anything' }
  const hidden = matchCommands(hiding, telling)
  // Whether they are run is up to programs that nobody knows here.
  return hidden.certainty === 'yes' ? { ...hidden, certainty: 'maybe' } : found
}

function matchCommands(
  commands: readonly ShellCommand[],
  { all, byProgram, ofAny }: RuleBook,
): Matched {
  let best: Matched = { certainty: 'no' }
  for (const command of commands) {
    const [first] = command.words
    const name = first && isKnown(first) ? programName(first) : undefined
    const asked = name === undefined ? all : (byProgram.get(name) ?? ofAny)
    for (const { matches, source } of asked) {
      const certainty = matches(command)
      if (certainty === 'yes') return { certainty, source }
      if (certainty === 'maybe') best = { certainty, source }
    }
  }
  return best
}

/** Whether every command surely is what one of some rules says. */
export function matchAll(
  { commands, unknown }: ShellReading,
  { all }: RuleBook,
): boolean {
  const isListed = (command: ShellCommand): boolean =>
    all.some((rule) => rule.isExactly(command)) ||
    (command.parent !== undefined && isListed(command.parent))
  return unknown.length === 0 && commands.length > 0 && commands.every(isListed)
}
