import { programName } from './inner-commands.ts'
import { readShell } from './read-shell.ts'
import type { ShellCommand } from './reading.ts'
import { type Folder, joinFolders } from './shell-state.ts'
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
const maxStarts = 40

/**
 * What programs of which nobody knows better may run: commands that begin with
 * one of their arguments, and those that are in one. Only programs that rules
 * are about are looked for. Undefined: there are too many.
 */
export function hiddenCommands(
  commands: readonly ShellCommand[],
  programs: Pick<ReadonlySet<string>, 'has'>,
): readonly ShellCommand[] | undefined {
  const texts = new Map<string, readonly Folder[]>()
  const found: ShellCommand[] = []
  for (const command of commands) {
    const { words, settings = [] } = command
    const args = argumentsOf(words)
    for (const { text } of [...args, ...settings]) {
      texts.set(text, joinFolders(texts.get(text) ?? [], command.folders))
    }
    const starts = [...args.keys()].filter((at) => {
      const word = args[at]
      return word && isKnown(word) && programs.has(programName(word))
    })
    if (starts.length > maxStarts) return undefined
    for (const at of starts) {
      found.push({ ...command, words: args.slice(at), redirects: [] })
    }
  }
  const scripts = Array.from(texts, ([text, folders]) => ({
    text: text.replace(/^(?:--?)?[\w-]+=/, ''),
    folders,
  })).filter(({ text }) => /\s/.test(text) && mentions(text, programs))
  const chars = scripts.reduce((sum, { text }) => sum + text.length, 0)
  if (chars > maxChars) return undefined
  const read = scripts.flatMap(
    ({ text, folders }) => readShell(text, folders).commands,
  )
  return [...found, ...read]
}

/** The arguments, up to a program that only tells them. */
function argumentsOf([program, ...args]: readonly Word[]): readonly Word[] {
  const name = program && programName(program)
  if (name === undefined || telling.has(name) || known.has(name)) return []
  const end = args.findIndex((word) => telling.has(programName(word)))
  return end < 0 ? args : args.slice(0, end)
}

function mentions(
  text: string,
  programs: Pick<ReadonlySet<string>, 'has'>,
): boolean {
  if (text.includes('>')) return true
  return text.split(/[^\w.+-]+/).some((word) => programs.has(word))
}
