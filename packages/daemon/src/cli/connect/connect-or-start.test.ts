import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endTerminal, stageForEach } from '../fixtures/stage.ts'
import { runCommand } from '../fixtures/terminal.ts'

const stage = stageForEach()

test('whoever looks at hooks goes on with nobody’s turn', async () => {
  const asked = join(stage.project.root, 'asked')
  stage.project.configure(
    `hooks:\n  - { name: seen, on: llm.pre_call, handler: { type: command, shell: 'echo model >> ${asked}' } }\n`,
  )
  stage.project.script('- { text: Never., afterMs: 600000 }\n')
  const turn = stage.start('run', 'hi')
  const runs = () => stage.ask('runs', '--hook', 'seen', '--state', 'completed')
  await expect.poll(async () => (await runs()).stdout).toContain('seen')
  await endTerminal(turn)
  for (const words of [['hooks', 'list'], ['doctor']]) {
    expect(await stage.cli(...words)).toMatchObject({ code: 0 })
  }
  expect(readFileSync(asked, 'utf8')).toBe('model\n')
})

test('nor does any command that is over soon go on with anybody’s jobs', async () => {
  const done = join(stage.project.root, 'done')
  const hooks = Array.from(
    { length: 24 },
    (_, at) =>
      `  - { name: job-${at}, on: turn.post_turn, execution: background, handler: { type: command, shell: 'echo ${at} >> ${done}; sleep 600' } }\n`,
  )
  const gate = `  - { name: gate, on: tool.guard, handler: { type: command, shell: 'exit 0' } }\n`
  stage.project.configure(`hooks:\n${hooks.join('')}${gate}`)
  stage.project.script('- { text: Done. }\n')
  const turn = stage.start('run', 'hi')
  const begun = () =>
    existsSync(done) ? readFileSync(done, 'utf8').trim().split('\n').length : 0
  // As many as are done at the same time; the others are queued.
  await expect.poll(begun).toBe(4)
  await endTerminal(turn)
  const input = JSON.stringify({
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  })
  for (const words of [
    ['hooks', 'list'],
    ['doctor'],
    ['hooks', 'test', 'gate', '--tool', 'shell'],
    ['bridge', 'claude-code'],
  ]) {
    const ended = await runCommand(stage.project, words, { input })
    expect(ended).toMatchObject({ code: 0 })
  }
  expect(begun()).toBe(4)
})
