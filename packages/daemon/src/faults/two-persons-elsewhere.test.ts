import { expect, onTestFinished, test, vi } from 'vitest'
import {
  makePlace,
  removePlace,
} from '../../../agent/src/store/fixtures/places.ts'
import { until } from './fixtures/live-daemon.ts'
import {
  agree,
  askedAbout,
  look,
  makes,
  startWithPeople,
  trustingModel,
  write,
} from './fixtures/several-people.ts'
import { makeSite, type Site } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

function newSite(): Site {
  const site = makeSite()
  onTestFinished(() => site.remove())
  return site
}

test('T26 who had a say is known to a daemon that takes the session over', async () => {
  const database = await makePlace('postgres')
  onTestFinished(() => removePlace(database))
  const [site, other] = [newSite(), newSite()]
  const model = trustingModel()
  const here = await startWithPeople(site, { ...model, database })
  const there = await startWithPeople(other, { ...model, database })
  const { id: sessionId } = await here.ann.createSession({ agent: 'main' })
  // Her turn is there until the other one is heard in it, however late.
  await here.ann.send({ sessionId, input: `WATCH ${makes(look)}` })
  const note = { tool: 'read', args: { path: 'note' } }
  site.write('root/note', makes(write('later')))
  // She speaks to a daemon that does not have the session.
  const input = makes(write('evil'), note)
  await there.mallory.steer({ sessionId, input, key: 'k' })
  const asked = await askedAbout(there.bob, '"evil"')
  expect(await agree(here.mallory, asked)).toBe('own-question')
  expect(await agree(there.mallory, asked)).toBe('own-question')
  await here.close()
  expect(await agree(there.mallory, asked)).toBe('own-question')
  expect(await agree(there.bob, asked)).toBe('accepted')
  const next = await askedAbout(there.bob, '"later"')
  expect(next.requestedBy).toEqual(['user:ann', 'user:mallory'])
  expect(await agree(there.mallory, next)).toBe('own-question')
  expect(await agree(there.ann, next)).toBe('own-question')
  expect(await agree(there.bob, next)).toBe('accepted')
  await until(() => site.read('root/later') === 'x')
  await there.close()
})
