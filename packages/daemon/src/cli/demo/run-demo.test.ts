import { expect, test, vi } from 'vitest'
import { stageForEach } from '../fixtures/stage.ts'
import { runCommand } from '../fixtures/terminal.ts'

const stage = stageForEach()

test('without a terminal, the commands that the demo shows work as they are', async () => {
  let said = ''
  const demo = runCommand(stage.project, ['demo'], {
    env: { HOOKLINE_MODEL: '' },
    onErrors(text) {
      said = text
    },
  })
  /** The words of a command, once it is shown. */
  const shown = (wanted: RegExp) =>
    vi.waitFor(
      () => {
        expect(said).toMatch(wanted)
        return wanted.exec(said)?.[1]?.split(' ') ?? []
      },
      { timeout: 60_000, interval: 50 },
    )
  try {
    const answer = await shown(/It waits for a yes: hookline (.+)\n/)
    // Whoever looks on in a browser can do so before the answer.
    expect(said).toMatch(/\n {2}http:\/\/127\.0\.0\.1:\d+\/#code=\S+\n/)
    const open = await shown(/later: hookline (open .+)\):\n/)
    expect(await stage.cli(...open, '--print')).toMatchObject({ code: 0 })
    expect(await stage.cli(...answer)).toMatchObject({ code: 0 })
    const list = await shown(/still there.*\n {2}hookline (runs list .+)\n/)
    const runs = await stage.cli(...list)
    expect(runs.stdout).toContain('no-destruction')
  } finally {
    const home = /--home ([^\s)]+)/.exec(said)?.[1] ?? ''
    await stage.cli('down', '--home', home)
  }
  expect(await demo).toMatchObject({ code: 0 })
})
