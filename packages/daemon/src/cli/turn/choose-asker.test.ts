import { expect, test } from 'vitest'
import type { Client } from '../../protocol/client.ts'
import { captureOutput } from '../fixtures/captured-output.ts'
import { GivenOptions } from '../given-options.ts'
import { chooseAsker } from './choose-asker.ts'

async function waitingFor(
  isEmbedded: boolean,
  given: Record<string, string> = {},
): Promise<string> {
  const { output, written } = captureOutput()
  const asker = await chooseAsker(
    { output, options: new GivenOptions({ ...given, whenAsked: 'wait' }) },
    {
      // Nobody is asked through it here.
      client: {} as Client,
      isEmbedded,
      hold() {},
      release() {},
      onInterrupt() {},
    },
  )
  await asker.askApproval({ id: 'a1' }, new AbortController().signal)
  return written.stderr
}

test('what waits for a yes names the command that answers', async () => {
  expect(await waitingFor(false)).toBe(
    'It waits for a yes: hookline approvals answer a1 allow\n',
  )
})

test('the command that answers asks the same daemon', async () => {
  expect(await waitingFor(false, { home: '/state' })).toBe(
    'It waits for a yes: hookline approvals answer a1 allow --home /state\n',
  )
  expect(await waitingFor(true, { home: '/state' })).toBe(
    'It waits for a yes. Start "hookline up --home /state" in another terminal, then: hookline approvals answer a1 allow --home /state\n',
  )
})

test('where no daemon runs that could be asked, it says how there is one', async () => {
  expect(await waitingFor(true)).toBe(
    'It waits for a yes. Start "hookline up" in another terminal, then: hookline approvals answer a1 allow\n',
  )
})
