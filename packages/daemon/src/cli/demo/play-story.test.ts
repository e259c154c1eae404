import { expect, onTestFinished, test, vi } from 'vitest'
import { startDemo } from '../../demo/start-demo.ts'
import { makeDemoFolder } from '../../demo/workspace.ts'
import { createLog } from '../../log/create-log.ts'
import type { Client } from '../../protocol/client.ts'
import { captureOutput } from '../fixtures/captured-output.ts'
import { GivenOptions } from '../given-options.ts'
import { watchInterrupts } from '../turn/interrupts.ts'
import { playStory } from './play-story.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/** A demo that answers itself, with what it asks its daemon done by others. */
async function setUp() {
  const folder = await makeDemoFolder()
  onTestFinished(() => folder.remove())
  const log = createLog({ write() {} })
  const daemon = await startDemo(folder, { env: {}, log })
  onTestFinished(() => daemon.close({ graceMs: 0 }))
  const { client } = daemon
  const { output, written } = captureOutput()
  const options = new GivenOptions({ once: true })
  const context = { args: [], options, output, env: {} }
  const interrupts = watchInterrupts(output)
  onTestFinished(() => interrupts.close())
  const play = (by: Partial<Client>) =>
    playStory(
      { ...context, connect: async () => client },
      { client: { ...client, ...by }, interrupts },
    )
  return { client, written, interrupts, play }
}

test('Ctrl-C while a scene ends is the end of the story', async () => {
  const { client, written, interrupts, play } = await setUp()
  const attend: Client['attend'] = async (input, ...rest) => {
    if (input.isLeaving === true) interrupts.interrupt()
    return await client.attend(input, ...rest)
  }
  expect(await play({ attend })).toBe('interrupted')
  expect(written.stderr).toContain('\n1. ')
  expect(written.stderr).toContain('Ending; once more to leave at once.')
  expect(written.stderr).not.toContain('\n2. ')
})

test('Ctrl-C while the session of a scene is opened is the end of the story, and the scene is not played', async () => {
  const { client, written, interrupts, play } = await setUp()
  const createSession: Client['createSession'] = async (...given) => {
    interrupts.interrupt()
    return await client.createSession(...given)
  }
  expect(await play({ createSession })).toBe('interrupted')
  expect(written.stderr).toContain('\n1. ')
  expect(written.stderr).toContain('Ending; once more to leave at once.')
  const [session] = (await client.listSessions({})).items
  const sessionId = session?.id ?? expect.fail('There is no session.')
  expect((await client.listTurns({ sessionId })).items).toEqual([])
})
