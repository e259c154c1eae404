import { expect, test } from 'vitest'
import { captureOutput } from '../../fixtures/captured-output.ts'
import { showReport } from './backtest.ts'

const nothing = {
  point: 'tool.guard',
  looked: 0,
  judged: 0,
  matched: 0,
  changed: 0,
  lacking: [],
  lackingCount: 0,
  differences: [],
  isCut: false,
}

test('runs that lack what hooks were given are counted, by why, and some are named', () => {
  const { output, written } = captureOutput()
  const why = 'Nothing is kept of what hooks were given.'
  const lacking = Array.from({ length: 5 }, (_, at) => ({
    dispatch: `d${at}`,
    at,
    reason: why,
  }))
  const other = { dispatch: 'x', at: 0, reason: 'It was too long.' }
  showReport(
    { output },
    { ...nothing, looked: 7, lackingCount: 6, lacking: [...lacking, other] },
  )
  expect(written.stdout).toBe('')
  expect(written.stderr).toContain('6 could not be tried')
  expect(written.stderr).toContain(`5: ${why} (d0, d1, d2, …)`)
  expect(written.stderr).toContain('1: It was too long. (x)')
  expect(written.stderr).not.toContain('some hook ran')
})

test('where nothing was looked at it is said what a backtest sees', () => {
  const { output, written } = captureOutput()
  showReport({ output }, { ...nothing, isCut: true })
  expect(written.stderr).toContain(
    'sees only dispatches in which some hook ran',
  )
  expect(written.stderr).toContain('Time was up')
})

test('on a terminal differences are a table of text, whatever hooks say', () => {
  const { output, written } = captureOutput({
    isTerminal: true,
    columns: 250,
    env: { NO_COLOR: '1' },
  })
  const reason = '\x1b[2J\x07\u009b31m\u202eevil'
  const differences = [
    { dispatch: 'd', at: 0, about: reason, before: reason, now: 'x', reason },
  ]
  showReport({ output }, { ...nothing, looked: 1, changed: 2, differences })
  expect(written.stdout).toContain('WOULD BE')
  expect(written.stdout).toContain('evil')
  expect(written.stdout + written.stderr).not.toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what it is about.
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
  )
  expect(written.stderr).toContain('The newest 1 of them are shown.')
})
