import { expect, test } from 'vitest'
import { stageForEach } from '../fixtures/stage.ts'

const stage = stageForEach()
const soon = { timeout: 60_000, interval: 50 }

test('a daemon has stopped when its last turn has ended and another can start; until then that turn can be seen and cancelled', async () => {
  stage.project.script('- text: Never said.\n  afterMs: 600000\n')
  const daemon = await stage.up('--grace', '10m')
  stage.start('run', 'wait')
  const turns = async () => (await stage.asJson('status')).counts?.turns
  await expect.poll(turns, soon).toBe(1)
  const down = stage.start('down')
  const status = async () => (await stage.ask('status')).stdout
  await expect.poll(status, soon).toContain('The daemon stops')
  const again = await stage.ask('down', '--grace', '0s')
  expect(again.stderr).toContain(`kill ${daemon.pid}`)
  expect(down.text).not.toContain('stopped')

  const [session] = (await stage.asJson('sessions')).items
  await stage.ask('sessions', 'cancel', session.id)
  await down.see('The daemon has stopped.')
  expect(await down.ended).toBe(0)
  const next = await stage.up()
  expect(next.pid).not.toBe(daemon.pid)
  expect(await daemon.ended).toBe(0)
})
