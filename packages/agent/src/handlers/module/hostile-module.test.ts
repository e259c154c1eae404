import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HandlerFailure } from '../handler-failure.ts'
import {
  callOf,
  type ModuleFiles,
  moduleFiles,
  moduleThreads,
  said,
} from './fixtures/module-files.ts'

let files: ModuleFiles

beforeEach(() => {
  files = moduleFiles()
})

afterEach(async () => {
  await files[Symbol.asyncDispose]()
  await vi.waitUntil(() => moduleThreads() === 0, { timeout: 30_000 })
})

/** Says that it has begun, and is loaded when it may be. */
const slow = (folder: string) => `
import { existsSync, writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(join(folder, 'begun'))}, '')
while (!existsSync(${JSON.stringify(join(folder, 'go'))})) {
  await new Promise((resolve) => setTimeout(resolve, 5))
}
export const run = () => ({ type: 'proceed' })
`

test('T06 a file that is changed while it is loaded is not believed, and its thread is ended', async () => {
  const { folder } = files
  files.write('gate.mjs', slow(folder))
  const handler = files.open('gate.mjs')
  const first = said(handler)
  await vi.waitUntil(() => existsSync(join(folder, 'begun')), {
    timeout: 30_000,
  })
  files.write('gate.mjs', "export const run = () => ({ type: 'reject' })")
  files.write('go', '')
  expect(await first).toBe('not-started')
  expect(await said(handler)).toContain('reject')
})

test('T06 whoever may not start at the moment that a thread is started, does not', async () => {
  files.write('gate.mjs', "export const run = () => ({ type: 'proceed' })")
  const handler = files.open('gate.mjs')
  const checkStart = () => {
    throw new HandlerFailure('untrusted', 'It has changed.')
  }
  const call = { ...callOf({}), checkStart }
  await expect(handler.ask(call)).rejects.toMatchObject({ code: 'untrusted' })
  expect(moduleThreads()).toBe(0)
})

test('a thread goes with the last hook that has it', async () => {
  files.write('gate.mjs', "export const run = () => ({ type: 'proceed' })")
  const [one, other] = [files.open('gate.mjs'), files.open('gate.mjs')]
  expect(await said(one)).toContain('proceed')
  await one.close?.()
  await one.close?.()
  expect(moduleThreads()).toBe(1)
  expect(await said(other)).toContain('proceed')
  await other.close?.()
  await vi.waitUntil(() => moduleThreads() === 0, { timeout: 30_000 })
  expect(await said(files.open('gate.mjs'))).toContain('proceed')
})

test('nothing is opened once all is closed', async () => {
  files.write('gate.mjs', 'export const run = () => {}')
  await files.modules.close()
  expect(() => files.open('gate.mjs')).toThrow('no longer opened')
})
