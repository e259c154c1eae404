import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { makeFolder, openStage, until } from './fixtures/stage.ts'
import type { McpStdioServer } from './server-config.ts'

const { resolve } = createRequire(import.meta.url)
const everythingFile = resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const filesystemFile = resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
)

const everything: McpStdioServer = {
  command: process.execPath,
  args: [everythingFile, 'stdio'],
  isTrusted: true,
}

type Stage = Awaited<ReturnType<typeof openStage>>

describe('server-everything over stdio', () => {
  const own = { name: 'own', model: 'x', instructions: '' }

  async function open() {
    const env = { set: { GREETING: 'hello', API_TOKEN: 'swordfish-swordfish' } }
    const stage = await openStage({ servers: { all: { ...everything, env } } })
    return stage
  }

  test('brings its tools, runs them, and gives text, images, resources and data', async () => {
    const { call, tools } = await open()
    const names = await tools()
    expect(names).toContain('mcp__all__echo')
    expect(names.slice(-2)).toEqual(['mcp_resource', 'mcp_prompt'])
    expect(await call('mcp__all__echo', { message: 'hi' })).toMatchObject({
      isError: false,
      text: 'Echo: hi',
    })
    const image = await call('mcp__all__get-tiny-image')
    expect(image.blocks[1]).toMatchObject({
      type: 'image',
      mediaType: 'image/png',
    })
    const args = { resourceType: 'Text', resourceId: 1 }
    const resource = await call('mcp__all__get-resource-reference', args)
    expect(resource.text).toContain('[Resource demo://resource/dynamic/text/1]')
    const links = await call('mcp__all__get-resource-links', { count: 2 })
    expect(links.text.match(/\[Resource demo:/g)).toHaveLength(2)
    const weather = { location: 'New York' }
    const { text } = await call('mcp__all__get-structured-content', weather)
    expect(JSON.parse(text)).toHaveProperty('temperature')
  })

  test('has its data for programs, its progress, and refusals of its own', async () => {
    const { call, events } = await open()
    await call('mcp__all__get-structured-content', { location: 'New York' })
    const ends = events.filter(({ type }) => type === 'tool-end')
    expect(ends[0]).toMatchObject({
      result: { data: { temperature: expect.any(Number) } },
    })
    const long = { duration: 0.5, steps: 2 }
    await call('mcp__all__trigger-long-running-operation', long)
    const steps = events.filter(({ type }) => type === 'tool-delta')
    expect(steps[0]).toMatchObject({ progress: '(1 of 2)' })
    const wrong = await call('mcp__all__get-sum', { a: 'x' })
    expect(wrong.isError).toBe(true)
  })

  test('T30 T55 has no variable but those it is granted, and credentials do not come back', async () => {
    process.env['HOOKLINE_TEST_SECRET'] = 'not-for-servers-1'
    onTestFinished(() => void delete process.env['HOOKLINE_TEST_SECRET'])
    const { call, requests } = await open()
    const { text } = await call('mcp__all__get-env')
    const env: Record<string, string> = JSON.parse(text)
    expect(env).toMatchObject({ GREETING: 'hello', API_TOKEN: '[secret]' })
    expect(env).not.toHaveProperty('HOOKLINE_TEST_SECRET')
    expect(env).not.toHaveProperty('NODE_OPTIONS')
    expect(JSON.stringify(requests)).not.toContain('swordfish')
  })

  test('has resources and prompts', async () => {
    const { call, runtime, session } = await open()
    const list = await call('mcp_resource', { server: 'all' })
    expect(list.text).toContain('demo://resource/dynamic/text/{resourceId}')
    const uri = 'demo://resource/dynamic/text/7'
    const read = await call('mcp_resource', { server: 'all', uri })
    expect(read.text).toContain('Resource 7')
    const missing = await call('mcp_resource', { server: 'all', uri: 'x://y' })
    expect(missing).toMatchObject({ isError: true })
    const prompts = await call('mcp_prompt', { server: 'all' })
    expect(prompts.text).toContain('args-prompt(city, state)')
    const arguments_ = { city: 'Kyoto' }
    const wanted = { server: 'all', name: 'args-prompt', arguments: arguments_ }
    const got = await call('mcp_prompt', wanted)
    expect(got.text).toContain('[user]')
    expect(got.text).toContain('Kyoto')
    await runtime.register({ ...own, mcpServers: [] })
    const { tools } = await session('own')
    expect(await tools()).toEqual([])
  })
})

describe('server-filesystem', () => {
  test('reads and writes in its folder, and refuses what is outside', async () => {
    const folder = await makeFolder()
    await mkdir(join(folder, 'in'))
    await writeFile(join(folder, 'in', 'a.txt'), 'alpha')
    await writeFile(join(folder, 'out.txt'), 'omega')
    const { call, tools } = await openStage({
      servers: {
        files: {
          command: process.execPath,
          args: [filesystemFile, join(folder, 'in')],
          isTrusted: true,
          trustAnnotations: true,
        },
      },
    })
    expect(await tools()).toContain('mcp__files__read_text_file')
    const inside = { path: join(folder, 'in', 'a.txt') }
    const outside = { path: join(folder, 'out.txt') }
    expect(await call('mcp__files__read_text_file', inside)).toMatchObject({
      isError: false,
      text: 'alpha',
    })
    const refused = await call('mcp__files__read_text_file', outside)
    expect(refused.isError).toBe(true)
    expect(refused.text).toContain('Access denied')
    const written = { path: join(folder, 'in', 'b.txt'), content: 'beta' }
    const write = await call('mcp__files__write_file', written)
    expect(write.isError).toBe(false)
  })

  test('has the folder of the session where it may know its roots, one process for each', async () => {
    const one = await makeFolder()
    const two = await makeFolder()
    await writeFile(join(one, 'a.txt'), 'alpha')
    const { session } = await openStage({
      servers: {
        files: {
          command: process.execPath,
          args: [filesystemFile],
          roots: true,
          isTrusted: true,
        },
      },
    })
    const first = await session('main', one)
    const second = await session('main', two)
    const wanted = { path: join(one, 'a.txt') }
    const allowed = async (which: typeof first) => {
      const { text } = await which.call('mcp__files__list_allowed_directories')
      return text
    }
    // It asks for them after it has said that it is ready.
    await expect.poll(() => allowed(first)).toContain(one)
    expect(await allowed(first)).not.toContain(two)
    expect(
      await first.call('mcp__files__read_text_file', wanted),
    ).toMatchObject({ isError: false, text: 'alpha' })
    const refused = await second.call('mcp__files__read_text_file', wanted)
    expect(refused.isError).toBe(true)
  })
})

describe('server-everything over streamable HTTP', () => {
  let server: ChildProcess
  // The address stays ours when the server behind it is another.
  const door = createServer((socket) => {
    const inside = connect(inner, '127.0.0.1')
    for (const [one, other] of [
      [socket, inside],
      [inside, socket],
    ] as const) {
      one.on('error', () => {}).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  let port: number
  let inner: number

  const start = async () => {
    const args = ['--import', tellPort, everythingFile, 'streamableHttp']
    server = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    await until(() => /port=\d+\n/.test(said), 'the server listens')
    inner = Number(/port=(\d+)/.exec(said)?.[1])
  }
  const stop = async () => {
    const gone = new Promise((done) => server.once('exit', done))
    server.kill('SIGKILL')
    await gone
  }
  beforeAll(async () => {
    await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
    port = (door.address() as AddressInfo).port // it listens on one
    await start()
  })
  afterAll(() => {
    server.kill('SIGKILL')
    door.close()
  })

  const open = (): Promise<Stage> =>
    openStage({
      servers: { web: { url: `http://127.0.0.1:${port}/mcp` } },
      policy: { network: 'all' },
    })

  test('brings its tools and runs them, with progress', async () => {
    const { call, events } = await open()
    expect(await call('mcp__web__echo', { message: 'hi' })).toMatchObject({
      isError: false,
      text: 'Echo: hi',
    })
    const long = { duration: 0.4, steps: 2 }
    await call('mcp__web__trigger-long-running-operation', long)
    const steps = events.filter(({ type }) => type === 'tool-delta')
    expect(steps[0]).toMatchObject({ progress: '(1 of 2)' })
  })

  test('is not asked by a call that has no network', async () => {
    const { call } = await openStage({
      servers: { web: { url: `http://127.0.0.1:${port}/mcp` } },
      policy: { network: { hosts: ['example.com'] } },
    })
    const { isError, text } = await call('mcp__web__echo', { message: 'hi' })
    expect(isError).toBe(true)
    expect(text).toContain('no network to "127.0.0.1"')
  })

  test('a call ends when the server is killed, and the next finds the new one', async () => {
    const { call, begun, plugin } = await open()
    const long = { duration: 60, steps: 600 }
    const hanging = call('mcp__web__trigger-long-running-operation', long)
    await begun()
    await stop()
    const { isError, text } = await hanging
    expect(isError).toBe(true)
    expect(text).toContain('nobody knows what it has done')
    expect(plugin.status()).toMatchObject([{ state: 'failed' }])
    await start()
    expect(await call('mcp__web__echo', { message: 'again' })).toMatchObject({
      text: 'Echo: again',
    })
  })
})

/** Has a server take a port that is free, and say which. */
const tellPort = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net'
  const { listen } = Server.prototype
  Server.prototype.listen = function (...given) {
    this.once('listening', () => console.error('port=' + this.address().port))
    return listen.apply(this, given)
  }`)}`
