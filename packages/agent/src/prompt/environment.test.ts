import { arch, platform, release } from 'node:os'
import { expect, test } from 'vitest'
import { definePlugin } from '../index.ts'
import { openStage } from '../runtime/fixtures/stage.ts'
import { renderEnvironment } from './environment.ts'

const machine = { platform: 'linux', release: '6.1', arch: 'x64' }

test('an agent is told the platform, the system and the shell', () => {
  expect(renderEnvironment({ ...machine, shell: '/bin/zsh' })).toBe(
    '<environment>\nplatform: linux x64\nsystem: 6.1\nshell: /bin/zsh\n</environment>',
  )
})

test('a machine without a shell says nothing of one', () => {
  const text = renderEnvironment({ ...machine, shell: undefined })
  expect(text).toBe(
    '<environment>\nplatform: linux x64\nsystem: 6.1\n</environment>',
  )
})

test('what is told by default is the machine that tools work on', async () => {
  const plugins = [definePlugin({ name: 'quiet' })]
  const { model, say } = await openStage([{ text: 'Hello.' }], { plugins })
  await say('Hi.')
  const system = JSON.stringify(model.requests[0]?.messages[0])
  expect(system).toContain(`platform: ${platform()} ${arch()}`)
  expect(system).toContain(`system: ${release()}`)
})
