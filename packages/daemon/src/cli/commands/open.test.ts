import { expect, test } from 'vitest'
import { stageForEach } from '../fixtures/stage.ts'

const stage = stageForEach()

test('a browser is let in by a link, unless the daemon listens on no port', async () => {
  const daemon = stage.start('up')
  const url = await daemon.see(/address\s+(http:\/\/127\.0\.0\.1:\d+)/)
  expect(Number(new URL(url).port)).toBeGreaterThanOrEqual(4665)
  const open = await stage.ask('open', '/approvals', '--json')
  const { link } = JSON.parse(open.stdout)
  expect(link).toMatch(`${url}/approvals#code=hkl_login_`)
  const outside = await stage.ask('open', '//evil.example/')
  expect(outside.code).toBe(2)
  await stage.ask('down')
  await daemon.ended

  const silent = stage.start('up', '--no-inspector')
  await silent.see('daemon.sock')
  const none = await stage.ask('open')
  expect(none.code).toBe(1)
  expect(none.stderr).toContain('without --no-inspector')
  await stage.ask('down')
  await silent.ended

  stage.project.configure('daemon: { listen: { tcp: false } }\n')
  const configured = stage.start('up')
  await configured.see('daemon.sock')
  expect((await stage.ask('open')).code).toBe(1)
  expect(configured.text).not.toContain('address')
})
