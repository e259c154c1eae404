import { defineHook } from 'hookline'
import { turnPostTurn } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { Suspension } from '../ports/approvals.ts'
import { openStage } from './fixtures/stage.ts'

test('hooks are told of a turn that was to be suspended when it had just ended', async () => {
  const told: string[] = []
  const after = defineHook({
    name: 'after',
    on: turnPostTurn,
    execution: 'record',
    run: ({ status }) => void told.push(status),
  })
  const stage = await openStage([{ text: 'Done.' }], { hooks: [after] })
  const controller = new AbortController()
  const { signal } = controller
  const turn = stage.session.send('Go.', { signal })
  for await (const { type } of turn) {
    if (type === 'turn-end') controller.abort(new Suspension())
  }
  expect(await turn.result).toMatchObject({ status: 'succeeded' })
  await stage.close()
  expect(told).toEqual(['succeeded'])
})
