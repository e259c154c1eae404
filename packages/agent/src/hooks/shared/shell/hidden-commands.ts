import type { CommandRule } from './command-rule.ts'
import { programName } from './inner-commands.ts'
import { readShell } from './read-shell.ts'
import type { ShellCommand } from './reading.ts'
import { isKnown, type Word } from './word.ts'

/** Programs that only print, compare or look up their arguments. */
const telling = new Set(
  `echo printf grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk jq yq man
  info apropos whatis which type whereis alias unalias test [ expr tr logger
  notify-send say cat tac less more head tail read :`.split(/\s+/),
)
/** Programs that run others in ways that are read elsewhere, or take texts. */
const known = new Set(
  'git gh glab hub curl wget http https python python3 node perl ruby php trap set'.split(
    ' ',
  ),
)

const maxChars = 300_000

/**
 * What programs of which nobody knows better may run: commands that begin with
 * one of their arguments, and those that are in one. Only such as rules are
 * about are looked for.
 */
export function hiddenCommands(
  commands: readonly ShellCommand[],
  rules: readonly CommandRule[],
): readonly ShellCommand[] {
  const programs = new Set(rules.flatMap(({ program }) => program ?? []))
  const texts = new Set<string>()
  const found = commands.flatMap((command) => {
    const { words, settings = [] } = command
    const args = argumentsOf(words)
    for (const { text } of [...args, ...settings]) texts.add(text)
    return args.flatMap((word, index): ShellCommand[] => {
      if (!isKnown(word) || !programs.has(programName(word))) return []
      return [{ ...command, words: args.slice(index), redirects: [] }]
    })
  })
  let chars = 0
  const scripts = [...texts].flatMap((text) => {
    const script = text.replace(/^(?:--?)?[\w-]+=/, '')
    const isScript = /\s/.test(script) && mentions(script, programs)
    chars += isScript ? script.length : 0
    return isScript && chars < maxChars ? readShell(script).commands : []
  })
  return [...found, ...scripts]
}

/** The arguments, up to a program that only tells them. */
function argumentsOf([program, ...args]: readonly Word[]): readonly Word[] {
  const name = program && programName(program)
  if (name === undefined || telling.has(name) || known.has(name)) return []
  const end = args.findIndex((word) => telling.has(programName(word)))
  return end < 0 ? args : args.slice(0, end)
}

function mentions(text: string, programs: ReadonlySet<string>): boolean {
  if (text.includes('>')) return true
  return text.split(/[^\w.+-]+/).some((word) => programs.has(word))
}
