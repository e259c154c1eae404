import type { Client } from '../../../protocol/client.ts'
import { CliError } from '../../cli-error.ts'
import type { Option, Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'

interface Change {
  readonly name: string
  readonly summary: string
  readonly options?: readonly Option[]
  readonly about: string
  readonly done: string
  readonly change: (
    client: Client,
    sessionId: string,
    context: CommandContext,
  ) => Promise<unknown>
}

const changes: readonly Change[] = [
  {
    name: 'cancel',
    summary: 'Cancel the turn that runs.',
    options: [{ flags: '--reason <text>', about: 'Why; it is kept.' }],
    about: 'What runs now stops; the session goes on.',
    done: 'The turn is cancelled.',
    change(client, sessionId, { options }) {
      const reason = options.text('reason')
      return client.cancel({ sessionId, ...(reason && { reason }) })
    },
  },
  {
    name: 'close',
    summary: 'End a session for good; it is kept.',
    about: 'It takes no more turns.',
    done: 'The session is closed.',
    change: (client, sessionId) => client.closeSession({ sessionId }),
  },
  {
    name: 'delete',
    summary: 'Remove a session and what was said in it.',
    options: [{ flags: '-y, --yes', about: 'Do not ask.' }],
    about: 'Asks first; in a script, --yes is needed.',
    done: 'The session is deleted.',
    async change(client, sessionId, context) {
      await confirmDelete(sessionId, context)
      return await client.deleteSession({ sessionId })
    },
  },
]

/** Commands that do one thing to one session. */
export const sessionsChange: readonly Subcommand[] = changes.map(
  ({ name, summary, options = [], about, done, change }) => ({
    name,
    summary,
    options,
    arguments: [{ name: '<session>', about: 'Its id.' }],
    examples: [{ command: `hookline sessions ${name} <session>`, about }],
    async run(context) {
      const { args, output } = context
      const client = await context.connect()
      const [sessionId = ''] = args
      await change(client, sessionId, context)
      if (output.isJson) output.json({ ok: true, sessionId })
      else output.line(done)
      return undefined
    },
  }),
)

async function confirmDelete(
  sessionId: string,
  { options, output }: CommandContext,
): Promise<void> {
  if (options.flag('yes')) return
  if (!output.isNoteTerminal || process.stdin.isTTY !== true) {
    const message = `Nothing was deleted: nobody could be asked about "${sessionId}".`
    throw new CliError('usage', message, { hint: 'Say so with --yes.' })
  }
  const { confirm } = await import('@clack/prompts')
  const isSure = await confirm({
    message: 'Delete the session and everything that was said in it?',
    initialValue: false,
    output: process.stderr,
  })
  if (isSure === true) return
  throw new CliError('interrupted', 'Nothing was deleted.')
}
