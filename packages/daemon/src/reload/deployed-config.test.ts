import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { loadSettings } from './load-settings.ts'

const deploy = fileURLToPath(new URL('../../../../deploy', import.meta.url))

test('the daemons of the compose file share the Postgres that it starts', async () => {
  const base = await mkdtemp(join(tmpdir(), 'hookline-deploy-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const env = { HOOKLINE_DATABASE_URL: 'postgres://x', HOOKLINE_KEY: 'k' }
  const { settings, problems, refusal } = await loadSettings({
    root: base,
    home: join(base, 'home'),
    user: join(base, 'user'),
    managed: deploy,
    env,
  })
  expect({ problems, refusal }).toEqual({ problems: [], refusal: undefined })
  const { urlEnv, key } = settings.store
  expect({ urlEnv, key }).toEqual({
    urlEnv: 'HOOKLINE_DATABASE_URL',
    key: { env: 'HOOKLINE_KEY' },
  })
  const compose = readFileSync(join(deploy, 'compose.yaml'), 'utf8')
  for (const name of Object.keys(env)) expect(compose).toContain(`${name}: `)
  const mount = './hookline.config.yaml:/etc/hookline/hookline.config.yaml:ro'
  expect(compose.split(mount)).toHaveLength(3)
})
