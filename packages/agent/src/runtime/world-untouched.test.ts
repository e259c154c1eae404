import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

interface WorldAfter {
  readonly status: string
  readonly text: string
  /** The hooks that have run. */
  readonly ran: readonly string[]
  readonly changed: readonly string[]
  /** Whether all records were made at the time they say. */
  readonly isDated: boolean
}

/** What a turn has left of a process of its own. */
async function worldAfter(attack: string): Promise<WorldAfter> {
  const { pathname } = new URL('fixtures/world-program.ts', import.meta.url)
  const args = ['--no-warnings', pathname, attack]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

test('I8 after a turn with ordinary hooks, prototypes, globals, environment and listeners are what they were', async () => {
  const { status, text, ran, changed } = await worldAfter('none')
  expect({ status, text }).toEqual({ status: 'succeeded', text: 'Done.' })
  expect(ran).toEqual([
    ...['fails', 'hostile', 'judges', 'observes', 'recalls', 'rewrites'],
  ])
  expect(changed).toEqual([])
})

test.each([
  ['listeners', 'listener SIGUSR2 0'],
  ['console', 'globalThis.console'],
  ['fetch', 'globalThis.fetch'],
  ['Date', 'globalThis.Date'],
])(
  'F014 a hook that takes away %s is found, and the turn does not need it',
  async (attack, name) => {
    const { status, text, changed, isDated } = await worldAfter(attack)
    expect({ status, text }).toEqual({ status: 'succeeded', text: 'Done.' })
    expect(changed).toContain(name)
    expect(isDated).toBe(true)
  },
)
