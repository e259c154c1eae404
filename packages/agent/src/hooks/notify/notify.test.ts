import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Clock, systemClock } from 'hookline'
import { afterEach, expect, test, vi } from 'vitest'
import { verifySignature } from '../../handlers.ts'
import {
  type AgentSpec,
  createAgent,
  createMemoryApprovals,
  createPolicy,
} from '../../index.ts'
import { createDelegatePlugin } from '../../plugins.ts'
import { type Script, scriptedModel } from '../../testing/index.ts'
import { callsOf, echoTool } from '../fixtures/play.ts'
import { desktopArgv } from './deliver.ts'
import { type NotifyOptions, notify } from './notify.ts'

afterEach(() => vi.unstubAllEnvs())

interface Posted {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** A webhook that keeps what it was told, for as long as `use` takes. */
async function withWebhook(
  use: (url: string, posts: Posted[]) => Promise<void>,
  status = 204,
) {
  const posts: Posted[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      posts.push({ headers: request.headers, body })
      response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  try {
    await use(`http://127.0.0.1:${port}/told`, posts)
  } finally {
    server.close()
  }
}

async function run(
  options: NotifyOptions,
  script: Script,
  spec: Partial<AgentSpec> = {},
) {
  const agent = createAgent({
    tools: [echoTool('write', 'mutating')],
    ...spec,
    model: scriptedModel(script),
    plugins: [notify(options), ...(spec.plugins ?? [])],
  })
  const result = await agent.run('Go.').result
  await agent.runtime.drain()
  await agent.close()
  return result
}

const kindsOf = (posts: readonly Posted[]) =>
  posts.map(({ body }) => (JSON.parse(body) as { kind: string }).kind)

const failing = [
  { error: { code: 'unavailable', isRetryable: false } },
] as const

test('a webhook is told what waits and what has ended, signed', async () => {
  vi.stubEnv('NOTIFY_KEY', 'a key of our own')
  await withWebhook(async (url, posts) => {
    const webhook = { url, secretEnv: 'NOTIFY_KEY', allowPrivate: true }
    const approvals = createMemoryApprovals({
      onQuestion: ({ question: { id } }) =>
        approvals.answer(id, { type: 'allow' }, 'ann'),
    })
    await run(
      { webhook, minTurnMs: 0 },
      [callsOf('write', { text: 'hush' }), { text: 'Done.' }],
      { approvals },
    )
    expect(kindsOf(posts).sort()).toEqual(['approval', 'turn-end'])
    for (const { headers, body } of posts) {
      const verdict = verifySignature({
        secret: 'a key of our own',
        run: String(headers['hookline-run']),
        timestamp: String(headers['hookline-timestamp']),
        signature: String(headers['hookline-signature']),
        body,
      })
      expect(verdict).toBe('valid')
      // What was said stays where it was said.
      expect(body).not.toMatch(/hush|Done/)
    }
  })
})

test('short turns are not worth it, failed ones are', async () => {
  await withWebhook(async (url, posts) => {
    const webhook = { url, allowPrivate: true }
    await run({ webhook }, [{ text: 'Done.' }])
    expect(posts).toEqual([])
    await run({ webhook }, failing)
    expect(kindsOf(posts)).toEqual(['error'])
    await run({ webhook, about: ['approval'] }, failing)
    expect(posts).toHaveLength(1)
  })
})

test('the turns of sub-agents are part of another, and many are left out', async () => {
  await withWebhook(async (url, posts) => {
    const webhook = { url, allowPrivate: true }
    const tasks = [{ agent: 'agent', task: 'Look.' }]
    await run(
      { webhook, minTurnMs: 0 },
      [callsOf('delegate', { tasks }), { text: 'Seen.' }, { text: 'Done.' }],
      { plugins: [createDelegatePlugin()] },
    )
    expect(posts).toHaveLength(1)
    const approvals = createMemoryApprovals({
      onQuestion: ({ question: { id } }) =>
        approvals.answer(id, { type: 'allow' }, 'ann'),
    })
    await run(
      { webhook, perMinute: 2, about: ['approval'] },
      [callsOf('write', {}, { n: 1 }, { n: 2 }, { n: 3 }), { text: 'Done.' }],
      { approvals },
    )
    expect(posts).toHaveLength(3)
  })
})

test('a clock that was set back silences nobody', async () => {
  await withWebhook(async (url, posts) => {
    let shiftMs = 0
    const clock: Clock = {
      now: () => systemClock.now(),
      wallAt: (now) => systemClock.wallAt(now) + shiftMs,
      after: (ms, callback) => systemClock.after(ms, callback),
    }
    const options = { webhook: { url, allowPrivate: true }, perMinute: 1 }
    const plugins = [notify({ ...options, minTurnMs: 0 })]
    const model = scriptedModel([{ text: 'Done.' }], { loop: true })
    const agent = createAgent({ model, plugins, clock })
    const told = async () => {
      await agent.run('Go.').result
      await agent.runtime.drain()
      return posts.length
    }
    expect(await told()).toBe(1)
    expect(await told()).toBe(1)
    shiftMs = -86_400_000
    expect(await told()).toBe(2)
    await agent.close()
  })
})

test.each([
  ['a private address', { webhook: { url: 'https://127.0.0.1:1/x' } }],
  ['a link-local one', { webhook: { url: 'https://169.254.169.254/x' } }],
  ['a missing key', { webhook: { url: 'https://x.example', secretEnv: 'NO' } }],
])('what cannot be told changes nothing: %s', async (_, options) => {
  const { status } = await run({ ...options, minTurnMs: 0 }, [{ text: 'Yes.' }])
  expect(status).toBe('succeeded')
})

test('a webhook that refuses is a failure in the record', async () => {
  await withWebhook(async (url) => {
    const failures: string[] = []
    const plugin = notify({
      ...{ webhook: { url, allowPrivate: true }, minTurnMs: 0 },
    })
    const agent = createAgent({
      model: scriptedModel([{ text: 'Yes.' }]),
      plugins: [plugin],
      policy: createPolicy({ mode: 'open' }),
    })
    agent.runtime.engine.observe((event) => {
      if (event.type !== 'hook-end' || !event.record.failure) return
      failures.push(event.record.hook)
    })
    await agent.run('Go.').result
    await agent.runtime.drain()
    await agent.close()
    expect(failures).toEqual(['notify:turn'])
  }, 500)
})

test('the desktop is told by a program, with words that nothing reads as code', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-notify-'))
  const told = join(folder, 'told')
  try {
    for (const name of ['notify-send', 'osascript']) {
      const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${told}'\n`
      await writeFile(join(folder, name), script)
      await chmod(join(folder, name), 0o755)
    }
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
    await run({ desktop: true }, failing, { name: 'agent' })
    expect(await readFile(told, 'utf8')).toContain('agent: the turn has failed')
  } finally {
    await rm(folder, { recursive: true })
  }
  const hostile = { title: '--help', text: '<b>$(id)</b>" & quit' }
  expect(desktopArgv('linux', hostile)).toEqual([
    ...['notify-send', '--app-name=hookline', '--', '--help'],
    '&#60;b&#62;$(id)&#60;/b&#62;" &#38; quit',
  ])
  const apple = desktopArgv('darwin', hostile)
  expect(apple.slice(-3)).toEqual(['--', hostile.title, hostile.text])
  expect(apple[2]).not.toContain('quit')
  expect(() => desktopArgv('win32', hostile)).toThrow('win32')
})

test.each([
  [{}, 'neither a webhook'],
  [{ webhook: { url: 'ftp://x.example' } }, 'url'],
  [{ webhook: { url: 'https://x.example', secretEnv: 'A B' } }, 'secretEnv'],
  [{ desktop: true, about: [] }, 'about'],
  [{ desktop: true, perMinute: 0 }, 'perMinute'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => notify(options as NotifyOptions)).toThrow(word)
})
