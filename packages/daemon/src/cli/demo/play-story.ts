import { randomUUID } from 'node:crypto'
import { type Scene, scenes } from '../../demo/story.ts'
import type { Client } from '../../protocol/client.ts'
import type { SessionDetail } from '../../protocol/schemas/sessions.ts'
import type { CommandContext } from '../command-context.ts'
import { playTurn } from '../turn/play-turn.ts'
import { yesAsker } from './answer-yes.ts'

/** All scenes, one after the other; false: one did not end well. */
export async function playStory(
  context: CommandContext,
  client: Client,
): Promise<boolean> {
  const { output, options } = context
  const connection = { client, isEmbedded: false, close: async () => {} }
  const asker = options.flag('once') ? yesAsker(client, output) : undefined
  let session: SessionDetail | undefined
  for (const [index, scene] of scenes.entries()) {
    output.note(headingOf(context, index, scene))
    const earlier = scene.isNewSession ? undefined : session?.id
    const exit = await playTurn(context, {
      connection,
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
    if (exit !== 'ok') return false
  }
  return true
}

function headingOf(
  { output }: CommandContext,
  index: number,
  { title, says }: Scene,
): string {
  const heading = output.noteStyle('bold', `${index + 1}. ${title}`)
  return `\n${heading}\n${output.noteStyle('cyan', `> ${says}`)}`
}
