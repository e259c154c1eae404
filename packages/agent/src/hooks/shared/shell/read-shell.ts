import { startOf, Unreadable } from './cursor.ts'
import { followScript } from './follow-script.ts'
import { parseScript } from './parse-script.ts'
import type { ShellCommand, ShellReading } from './reading.ts'
import { type Folder, startState } from './shell-state.ts'
import { any, knownWord } from './word.ts'

const maxLength = 100_000
const maxUnknown = 20

/** Signs that hide what a text says, or have it read another way round. */
const hiding =
  /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/u
/** Spaces and signs that are none to a shell, but look as if; outside quotes. */
const odd =
  /[\u0085\u00a0\u00ad\u1680\u180e\u2000-\u2015\u2212\u2028\u2029\u202f\u2044\u205f\u2060-\u2064\u2215\u29f8\u3000\ufeff\uff01-\uff5e]/

/**
 * Reads what a shell would run, without running it. Never throws: what it
 * cannot read it reports as unknown, and then the list of commands is not whole.
 * A folder that it is started in counts as a `cd` to it.
 */
export function readShell(
  text: string,
  folders: readonly Folder[] = ['start'],
): ShellReading {
  const commands: ShellCommand[] = []
  const unknown = new Set<string>()
  const note = (what: string) => {
    if (unknown.size < maxUnknown) unknown.add(what)
  }
  if (text.length > maxLength) {
    return { commands, unknown: ['the text is too long'] }
  }
  if (hiding.test(text)) note('signs that cannot be seen')
  if (odd.test(text.replace(/'[^']*'|"[^"]*"/g, ''))) {
    note('spaces or letters that only look like others')
  }
  for (const folder of folders) {
    if (folder === 'unknown') note('the folder that it is started in')
    if (typeof folder === 'object') commands.push(changeTo(folder.path))
  }
  const parse = (script: string) =>
    parseScript(startOf(script, parseScript), [])
  try {
    followScript(parse(text.replaceAll(any, '\ufffd')), startState(folders), {
      parse,
      onCommand: (command) => commands.push(command),
      onCode: note,
    })
  } catch (error) {
    note(error instanceof Unreadable ? error.message : 'it cannot be followed')
  }
  return { commands, unknown: [...unknown] }
}

function changeTo(path: string): ShellCommand {
  const words = [knownWord('cd'), knownWord(path)]
  return { words, redirects: [], folders: ['start'] }
}
