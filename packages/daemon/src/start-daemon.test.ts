import { expect, test } from 'vitest'
import { createLog } from './log/create-log.ts'
import { protocolVersion } from './protocol/http-input.ts'
import { makePlace } from './reload/fixtures/place.ts'
import { type DaemonOptions, startDaemon } from './start-daemon.ts'

/** A daemon with a configuration, which nobody else can reach. */
async function open(config: string, options: DaemonOptions = {}) {
  const place = await makePlace()
  const { root, home, user, managed } = place
  await place.write('user/hookline.config.yaml', config)
  return await startDaemon({
    ...{ root, home, user, managed, env: {}, isEmbedded: true },
    log: createLog({ write: () => {} }),
    ...options,
  })
}

test('who has a daemon stop is told how long turns have: as asked, as started, or as configured', async () => {
  const heard: number[] = []
  const onShutdown = (graceMs: number) => heard.push(graceMs)
  const config = 'daemon: { graceMs: 7000 }'
  for (const [started, asked, graceMs] of [
    [{}, {}, 7_000],
    [{ graceMs: 3_000 }, {}, 3_000],
    [{ graceMs: 3_000 }, { graceMs: 1_000 }, 1_000],
  ] as const) {
    const daemon = await open(config, { ...started, onShutdown })
    expect(await daemon.client.shutdown(asked)).toEqual({ ok: true, graceMs })
    await daemon.close({ graceMs: 0 })
  }
  expect(heard).toEqual([7_000, 3_000, 1_000])
})

test('what a daemon says of itself has the protocol that its headers have', async () => {
  const daemon = await open('hooks: []')
  const { protocol } = await daemon.client.info()
  expect(protocol).toBe(protocolVersion)
  await daemon.close({ graceMs: 0 })
})

test.each([
  [
    '{ endpoint: "http://127.0.0.1:1", headersEnv: { a: NOT_SET_HERE } }',
    'missing-variable',
    'NOT_SET_HERE',
  ],
])(
  'telemetry as in %s keeps a daemon from starting, and it is said why',
  async (telemetry, code, message) => {
    const opening = open(`daemon: { telemetry: ${telemetry} }`)
    await expect(opening).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  },
)

test('a certificate that is not there keeps a daemon from starting, and is named', async () => {
  const opening = open(
    'daemon: { listen: { tcp: { port: 0 }, tls: { certFile: no.pem, keyFile: no.key } } }',
  )
  await expect(opening).rejects.toMatchObject({
    code: 'invalid-key',
    message: expect.stringMatching(/no\.pem" cannot be read; .*/),
  })
})
