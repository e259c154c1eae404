import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { always, startHostile } from './fixtures/hostile-server.ts'

const run = promisify(execFile)
const program = fileURLToPath(
  new URL('fixtures/proxy-program.ts', import.meta.url),
)

test('F096 variables that name a proxy are ignored, where Node itself would heed them', async () => {
  await using server = await startHostile(always({ status: 204 }))
  await using proxy = await startHostile(always({ status: 502 }))
  const address = `http://127.0.0.1:${proxy.port}`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  const variables = [...names, ...names.map((name) => name.toLowerCase())]
  const env = {
    PATH: process.env['PATH'],
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: '',
    ...Object.fromEntries(variables.map((name) => [name, address])),
  }
  const url = `http://127.0.0.1:${server.port}/`
  const { stdout } = await run(process.execPath, [program, url], { env })
  expect(stdout).toBe('204')
  expect(server.seen.map(({ line }) => line)).toEqual(['POST / HTTP/1.1'])
  // The variables were in force: the other request of the program shows it.
  expect(proxy.seen.map(({ line }) => line)).toEqual([`GET ${url} HTTP/1.1`])
}, 60_000)
