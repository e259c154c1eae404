import type { CommandRule } from './command-rule.ts'
import { hiddenCommands } from './hidden-commands.ts'
import { programName } from './inner-commands.ts'
import type { ShellCommand, ShellReading } from './reading.ts'
import { type Certainty, isKnown } from './word.ts'

export interface Matched {
  readonly certainty: Certainty
  /** The rule that matched. */
  readonly source?: string
}

/** Whether any command is what one of some rules says; the surest one counts. */
export function matchAny(
  { commands }: ShellReading,
  rules: readonly CommandRule[],
): Matched {
  const found = matchCommands(commands, rules)
  if (found.certainty !== 'no') return found
  const telling = rules.filter(({ isTelling }) => isTelling)
  const hiding = hiddenCommands(commands, telling)
  if (hiding === undefined) return { certainty: 'maybe', source: 'anything' }
  const hidden = matchCommands(hiding, telling)
  // Whether they are run is up to programs that nobody knows here.
  return hidden.certainty === 'yes' ? { ...hidden, certainty: 'maybe' } : found
}

function matchCommands(
  commands: readonly ShellCommand[],
  rules: readonly CommandRule[],
): Matched {
  let best: Matched = { certainty: 'no' }
  for (const command of commands) {
    const [first] = command.words
    const name = first && isKnown(first) ? programName(first) : undefined
    for (const { matches, source, program } of rules) {
      const isOther = program !== undefined && program !== name
      if (isOther && name !== undefined) continue
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
  rules: readonly CommandRule[],
): boolean {
  const isListed = (command: ShellCommand): boolean =>
    rules.some((rule) => rule.isExactly(command)) ||
    (command.parent !== undefined && isListed(command.parent))
  return unknown.length === 0 && commands.length > 0 && commands.every(isListed)
}
