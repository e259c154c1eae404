import { expect, test } from 'vitest'
import { captureOutput } from './fixtures/captured-output.ts'
import { renderConfigState } from './render-config-state.ts'

const nothing = {
  sources: [],
  problems: [],
  broken: [],
  doubts: [],
  findings: [],
}

test('what counts from the next start on is named, and nothing else is', () => {
  const { output } = captureOutput()
  const render = (needsRestart: string[]) =>
    renderConfigState({ ...nothing, untrusted: 0, needsRestart }, output)
  expect(render([])).toBe('The configuration is in force.')
  expect(render(['plugins', 'store'])).toContain(
    'when the daemon is started again: plugins, store',
  )
})
