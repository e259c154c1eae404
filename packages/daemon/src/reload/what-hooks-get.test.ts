import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scriptedModel } from '@hookline/agent/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../log/create-log.ts'
import { startDaemon } from '../start-daemon.ts'
import { makePlace } from './fixtures/place.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Writes down all that a process was handed: variables and open files. */
const look = (to: string) =>
  `{ env; for fd in /proc/self/fd/*; do readlink $fd; done; } > ${to} 2>/dev/null`

test('neither a hook without a sandbox nor a tool is handed a way to the daemon: no token, no socket, no database', async () => {
  const given = {
    HOOKLINE_HOME: 'given-home',
    HOOKLINE_TOKEN_FILE: 'given-token-file',
    HOOKLINE_URL: 'given-url',
    ANTHROPIC_API_KEY: 'given-api-key',
    DATABASE_URL: 'given-database',
  }
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const place = await makePlace()
  const { root, home, user, managed } = place
  const [byHook, byTool] = ['by-hook', 'by-tool'].map((name) =>
    join(root, name),
  )
  await place.write(
    'user/hookline.config.yaml',
    JSON.stringify({
      policy: { mode: 'open' },
      hooks: [
        {
          name: 'looks',
          on: 'tool.guard',
          handler: {
            type: 'command',
            argv: [
              'sh',
              '-c',
              `${look(byHook ?? '')}; echo '{"type":"proceed"}'`,
            ],
          },
        },
      ],
    }),
  )
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'Done.' }
      : { calls: [{ tool: 'shell', args: { command: look(byTool ?? '') } }] },
  )
  const daemon = await startDaemon({
    ...{ root, home, user, managed, env: {} },
    models: { resolve: () => model },
    log: createLog({ write: () => {} }),
  })
  onTestFinished(() => daemon.close({ graceMs: 0 }))
  const { runtime } = daemon.workspace
  const session = await runtime.openSession({ agent: 'main', cwd: root })
  await session.send('Go.').result
  const token = (await readFile(join(home, 'token'), 'utf8')).trim()
  for (const file of [byHook, byTool]) {
    const seen = await readFile(file ?? '', 'utf8')
    expect(seen).toContain('PATH=')
    // Its own open files are seen, so that those of others would be.
    expect(seen).toContain(`\n${file}\n`)
    for (const secret of [...Object.values(given), token, home]) {
      expect(seen, file).not.toContain(secret)
    }
  }
})
