import type { startDemo } from '../../daemon/src/demo/start-demo.ts'
import { scenes } from '../../daemon/src/demo/story.ts'

export type Daemon = Awaited<ReturnType<typeof startDemo>>

/** Every scene; the last one is left at its question. */
export async function playStory({
  client,
}: Daemon): Promise<readonly string[]> {
  const sessions: string[] = []
  for (const [index, { says, isNewSession }] of scenes.entries()) {
    const isLast = index === scenes.length - 1
    if (isNewSession) sessions.push((await client.createSession({})).id)
    const sessionId = sessions.at(-1) ?? ''
    await client.send({ sessionId, input: says, wait: !isLast })
  }
  await denyOnce(client)
  while ((await client.listApprovals({})).items.length === 0) await aMoment()
  return sessions
}

/** The same question once more, answered: for the history. */
async function denyOnce(client: Daemon['client']): Promise<void> {
  const { id: sessionId } = await client.createSession({})
  const input = scenes.at(-1)?.says ?? ''
  await client.send({ sessionId, input })
  for (;;) {
    const [asked] = (await client.listApprovals({ sessionId })).items
    if (asked !== undefined) {
      const { id: approvalId, shownHash } = asked
      const reason = 'Not before Thursday.'
      const answer = { approvalId, shownHash, type: 'deny', reason } as const
      await client.answerApproval(answer)
      return
    }
    await aMoment()
  }
}

function aMoment(): Promise<void> {
  return new Promise((done) => setTimeout(done, 50))
}
