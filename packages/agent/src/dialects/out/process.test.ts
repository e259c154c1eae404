import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hook } from 'hookline'
import { expect, onTestFinished, test } from 'vitest'
import { createCommandRunner } from '../../handlers/command/create-command-runner.ts'
import { openStage } from '../../runtime/fixtures/stage.ts'
import { tool } from '../../runtime/fixtures/tools.ts'
import type { Script } from '../../testing/index.ts'
import { claudeCode } from '../claude-code/claude-code.ts'
import { ownHooks } from './fixtures/own-hooks.ts'

const script: Script = [
  { calls: [{ tool: 'shell', args: { command: 'git push' } }] },
  { calls: [{ tool: 'shell', args: { command: 'git push --force' } }] },
  { calls: [{ tool: 'read', args: { path: 'a.ini' } }] },
  { text: 'Done.' },
  { text: 'Tested.' },
]

/** What comes of the same turns under some hooks. */
async function play(hooks: readonly Hook[], cwd: string) {
  const commands: unknown[] = []
  const shell = tool('shell', ({ command }) => {
    commands.push(command)
    return 'pushed'
  })
  const read = tool('read', () => 'password=hunter2')
  const stage = await openStage(script, {
    hooks,
    tools: [shell, read],
    session: { cwd },
  })
  onTestFinished(() => stage.close())
  const refused = await stage.say('Use sk-123.')
  const { status, reply } = await stage.say('Push it.')
  const told = JSON.stringify(stage.model.requests.at(-1)?.messages)
  return {
    statuses: [refused.status, status],
    commands,
    reply: JSON.stringify(reply),
    asked: stage.model.requests.length,
    says: [
      'Never by force.',
      'Be brief.',
      'Run the tests.',
      '***',
      'hunter2',
    ].map((text) => told.includes(text)),
  }
}

test('a hook file of Claude Code whose command is our hooks decides as they do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-process-'))
  const runner = createCommandRunner()
  onTestFinished(async () => {
    await runner.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const program = join(import.meta.dirname, 'fixtures', 'hook-program.ts')
  const command = `"${process.execPath}" "${program}" claude-code`
  const group = [{ hooks: [{ type: 'command', command, timeout: 60 }] }]
  const events = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']
  const hooks = Object.fromEntries(events.map((event) => [event, group]))
  const source = { file: join(folder, 'settings.json'), layer: 'user' as const }
  const file = claudeCode.readFile(JSON.stringify({ hooks }), source)
  const foreign = await claudeCode.toHooks(file.hooks, {
    runner,
    env: { PATH: process.env['PATH'] ?? '' },
    projectDir: folder,
    dataDir: join(folder, 'data'),
  })
  const direct = await play(ownHooks, folder)
  expect(direct).toMatchObject({
    statuses: ['rejected', 'succeeded'],
    commands: ['git push --dry-run'],
    says: [true, true, true, true, false],
  })
  expect(await play(foreign, folder)).toEqual(direct)
}, 120_000)
