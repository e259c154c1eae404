import { resolve } from 'node:path'
import type { CommandContext } from '../command-context.ts'
import type { Connection } from '../connect/connect-or-start.ts'
import type { ExitName } from '../exit-codes.ts'
import { plainLine } from '../output/plain-text.ts'
import { reachWords } from '../reach-words.ts'
import { Asking } from '../turn/asking.ts'
import type { Ending } from '../turn/interrupts.ts'
import { createTerminalAsker } from '../turn/terminal-asker.ts'
import { createTurnView } from '../turn/turn-view.ts'
import { Chat } from './chat.ts'
import { ChatScreen } from './chat-screen.ts'
import { readHistory } from './read-history.ts'

interface Conversation {
  readonly connection: Connection
  /** From then on Ctrl-C is no longer the chat's. */
  readonly ending: Ending
}

/** Talks until somebody has had enough. */
export async function converse(
  context: CommandContext,
  { connection: { client }, ending }: Conversation,
): Promise<ExitName> {
  const { options, output } = context
  const agent = options.text('agent')
  const id = options.text('session')
  const cwd = resolve(options.text('root') ?? '.')
  const create = () =>
    client.createSession({ ...(agent !== undefined && { agent }), cwd })
  const session = await (id === undefined
    ? create()
    : client.createSession({ id }))
  const style: typeof output.style = (how, text) => output.style(how, text)
  const { promise: ended, resolve: end } = Promise.withResolvers<ExitName>()
  const screen = new ChatScreen({
    input: process.stdin,
    screen: process.stdout,
    prompt: output.style('bold', '› '),
    history: id === undefined ? [] : await readHistory(client, id),
    onLine: (line) => chat.hear(line),
    onInterrupt: () => chat.interrupt(),
    onEnd: () => end('ok'),
  })
  const asker = createTerminalAsker(client, {
    reach: reachWords(options),
    input: process.stdin,
    screen: process.stdout,
    hold: () => screen.hold(),
    release: () => screen.release(),
    onInterrupt: () => chat.interrupt(),
  })
  const show = createTurnView({
    sink: screen,
    style,
    columns: () => output.columns,
    isVerbose: options.flag('verbose'),
  })
  const { items: skills } = await client.listSkills()
  const chat = new Chat({
    client,
    screen,
    skills: new Set(skills.map(({ name }) => name)),
    style,
    createAsking: (sessionId) =>
      new Asking({
        client,
        sessionId,
        asker,
        onError: (message) => screen.note(plainLine(message)),
      }),
    view(item) {
      if (item.type === 'event') show(item.event)
    },
    openSession: create,
    onEnd: (how) => end(how === 'left' ? 'ok' : 'interrupted'),
  })
  const about = `${session.agent} · session ${session.id} · /help`
  output.line(output.style('dim', plainLine(about)))
  screen.open()
  try {
    await chat.begin(session)
    return await ended
  } finally {
    screen.close()
    ending.begin()
    await chat.end()
    output.note(
      output.noteStyle(
        'dim',
        `Go on with: hookline chat --session ${chat.sessionId}`,
      ),
    )
  }
}
