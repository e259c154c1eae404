/** What can be said to the chat itself. */
const slashCommands = {
  help: 'Show what can be said here.',
  new: 'Begin a new session.',
  session: 'Show which session this is, and where it stands.',
  cancel: 'Cancel what runs.',
  resume: 'Go on with a turn that was interrupted.',
  compact: 'Shorten what the agent has to read again.',
  exit: 'Leave; the session is kept.',
} as const

export type SlashName = keyof typeof slashCommands

/** What a line means: something for the chat, or for the agent. */
export type ReadLine =
  | { readonly type: 'nothing' }
  | { readonly type: 'command'; readonly name: SlashName }
  | { readonly type: 'unknown'; readonly name: string }
  | { readonly type: 'input'; readonly text: string }

/** Skills have slashes, too: what they are called is said to the agent. */
export function readLine(line: string, skills: ReadonlySet<string>): ReadLine {
  if (line.trim() === '') return { type: 'nothing' }
  const name = /^\/([\w:-]+)/.exec(line)?.[1]
  if (name === undefined) return { type: 'input', text: line.trim() }
  const alias = name === 'quit' ? 'exit' : name
  if (isSlash(alias)) return { type: 'command', name: alias }
  if (skills.has(name)) return { type: 'input', text: line.trim() }
  return { type: 'unknown', name }
}

function isSlash(name: string): name is SlashName {
  return Object.hasOwn(slashCommands, name)
}

export function renderSlashHelp(): string {
  const lines = Object.entries(slashCommands).map(
    ([name, about]) => `  /${name.padEnd(9)}${about}`,
  )
  return [
    ...lines,
    '  While the agent works, what you say joins the turn.',
    '  A line that ends in \\ goes on; a paste is one message.',
    '  Ctrl-C cancels what runs; twice leaves. A space before / sends it as it is.',
  ].join('\n')
}
