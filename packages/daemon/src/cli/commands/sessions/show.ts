import type { Client } from '../../../protocol/client.ts'
import type { Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import { plainText } from '../../output/plain-text.ts'
import { renderFields } from '../../output/table.ts'
import { duration, exactMs, exactTime, localTime } from '../../output/times.ts'

export const showCommand: Subcommand = {
  name: 'show',
  summary: 'Show a session: where it stands, and its turns.',
  arguments: [{ name: '<session>', about: 'Its id.' }],
  options: [{ flags: '--messages', about: 'Also what was said.' }],
  examples: [
    {
      command: 'hookline sessions show <session> --messages',
      about: 'The whole conversation.',
    },
  ],
  async run(context) {
    const { args, options, output } = context
    const client = await context.connect()
    const [sessionId = ''] = args
    const session = await client.getSession({ sessionId })
    const { items: turns } = await client.listTurns({ sessionId })
    const said = options.flag('messages')
      ? await client.listMessages({ sessionId })
      : undefined
    if (output.isJson) {
      output.json({ ...session, list: turns, ...said })
      return undefined
    }
    showSession(context, session)
    output.line()
    output.table(turns, [
      { header: 'TURN', value: ({ number }) => number, align: 'right' },
      { header: 'ID', value: ({ id }) => id },
      { header: 'STATUS', value: ({ status }) => status },
      {
        header: 'BEGAN',
        value: ({ startedAt }) => localTime(startedAt),
        exact: ({ startedAt }) => exactTime(startedAt),
      },
      {
        header: 'TOOK',
        value: ({ elapsedMs }) =>
          elapsedMs === null ? undefined : duration(elapsedMs),
        exact: ({ elapsedMs }) =>
          elapsedMs === null ? undefined : exactMs(elapsedMs),
        align: 'right',
      },
      {
        header: 'TOOLS',
        value: ({ toolCount }) => toolCount ?? undefined,
        align: 'right',
      },
      {
        header: 'ERROR',
        value: ({ error }) => error ?? undefined,
        canShrink: true,
      },
    ])
    for (const message of said?.messages ?? []) {
      output.line()
      output.line(plainText(renderMessage(message)))
    }
    return undefined
  },
}

function showSession(
  { output }: CommandContext,
  session: Awaited<ReturnType<Client['getSession']>>,
): void {
  const { id, agent, state, turnId, cwd, createdAt, updatedAt } = session
  output.line(
    renderFields(
      [
        ['session', id],
        ['agent', agent],
        ['works for', session.parentId],
        ['state', session.endReason ?? state],
        ['turn', turnId],
        ['folder', cwd],
        ['began', localTime(createdAt)],
        ['changed', localTime(updatedAt)],
        ['daemon', session.worker],
      ],
      (style, text) => output.style(style, text),
    ),
  )
}

function renderMessage(message: Readonly<Record<string, unknown>>): string {
  const { role, content } = message
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  const parts = blocks.map((block) => {
    const { type, text, tool, args, callId }: Record<string, unknown> =
      Object(block)
    if (typeof text === 'string') return text
    return `[${String(type)}] ${JSON.stringify({ tool, args, callId })}`
  })
  return `${String(role)}:\n${parts.join('\n')}`
}
