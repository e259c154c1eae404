import { randomUUID } from 'node:crypto'
import { type Scene, scenes } from '../../demo/story.ts'
import type { Client } from '../../protocol/client.ts'
import type { SessionDetail } from '../../protocol/schemas/sessions.ts'
import type { CommandContext } from '../command-context.ts'
import type { ExitName } from '../exit-codes.ts'
import type { Interrupts } from '../turn/interrupts.ts'
import { playTurn } from '../turn/play-turn.ts'
import { yesAsker } from './answer-yes.ts'

interface StoryParts {
  readonly client: Client
  readonly interrupts: Interrupts
}

/** All scenes, one after the other, until one does not end well, or somebody has had enough. */
export async function playStory(
  context: CommandContext,
  { client, interrupts }: StoryParts,
): Promise<ExitName> {
  const { output, options } = context
  const connection = { client, isEmbedded: false, close: async () => {} }
  const asker = options.flag('once') ? yesAsker(client, output) : undefined
  let session: SessionDetail | undefined
  for (const [index, scene] of scenes.entries()) {
    if (interrupts.isInterrupted) return 'interrupted'
    output.note(headingOf(context, index, scene))
    const earlier = scene.isNewSession ? undefined : session?.id
    const exit = await playTurn(context, {
      connection,
      interrupts,
      ...(asker && { asker }),
      async open() {
        session = await client.createSession(
          earlier === undefined ? {} : { id: earlier },
        )
        return session
      },
      start: ({ id: sessionId }) =>
        client.send({ sessionId, input: scene.says, key: randomUUID() }),
    })
    if (exit !== 'ok') return exit
  }
  return 'ok'
}

function headingOf(
  { output }: CommandContext,
  index: number,
  { title, says }: Scene,
): string {
  const heading = output.noteStyle('bold', `${index + 1}. ${title}`)
  return `\n${heading}\n${output.noteStyle('cyan', `> ${says}`)}`
}
