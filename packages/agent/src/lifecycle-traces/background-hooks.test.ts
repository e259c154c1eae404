import { defineHook } from 'hookline'
import { turnPostTurn } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { scriptedStage } from './fixtures/stage.ts'

test('a hook in the background runs once the turn is over', async () => {
  const ran: string[] = []
  const digest = defineHook({
    name: 'digest',
    on: turnPostTurn,
    execution: 'background',
    run: ({ status }) => void ran.push(status),
  })
  const stage = scriptedStage([{ text: 'Hello.' }], { hooks: [digest] })
  const session = await stage.open()
  await session.send('Hello?').result
  await stage.until(stage.runtime.drain())
  expect(ran).toEqual(['succeeded'])
})
