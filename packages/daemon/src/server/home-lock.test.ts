import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../protocol/client.ts'
import { runDaemon } from './fixtures/run-daemon.ts'
import { closeAll, makeFolder, onClose } from './fixtures/small-server.ts'
import { openHome } from './home.ts'
import { markOfThisProcess } from './process-mark.ts'

afterEach(closeAll)

const isLinux = process.platform === 'linux'
const slow = 120_000

test('F197: of many daemons that start with one home, one runs, and the others say which', {
  timeout: slow,
}, async () => {
  const home = join(makeFolder(), 'home')
  const all = Array.from({ length: 4 }, () => runDaemon(home))
  const said = await Promise.all(all.map((one) => one.said()))
  const ready = said.filter(({ type }) => type === 'ready')
  expect(ready).toHaveLength(1)
  const refused = said.filter(({ type }) => type === 'refused')
  expect(refused).toHaveLength(3)
  for (const one of refused) {
    expect(one).toMatchObject({
      code: 'already-running',
      pid: ready[0]?.['pid'],
    })
  }
  const { socket, token } = await openHome({ path: home })
  const client = createClient({ socket, token })
  onClose(() => client.close())
  expect(await client.health()).toMatchObject({ status: 'ok' })
})

test('F197: a daemon that hangs still has its home', {
  timeout: slow,
}, async () => {
  const home = join(makeFolder(), 'home')
  const first = runDaemon(home)
  expect(await first.said()).toMatchObject({ type: 'ready' })
  first.child.kill('SIGSTOP')
  const second = await runDaemon(home).said()
  expect(second).toMatchObject({
    code: 'already-running',
    pid: first.child.pid,
  })
})

test('F198: lock and socket that a killed daemon left are taken over', {
  timeout: slow,
}, async () => {
  const home = join(makeFolder(), 'home')
  for (let times = 0; times < 2; times++) {
    const daemon = runDaemon(home)
    const { type, socket } = await daemon.said()
    expect(type).toBe('ready')
    await daemon.kill('SIGKILL')
    expect(lstatSync(String(socket)).isSocket()).toBe(true)
    expect(existsSync(join(home, 'daemon.lock'))).toBe(true)
  }
  const last = runDaemon(home)
  expect(await last.said()).toMatchObject({ type: 'ready' })
  await last.kill('SIGTERM')
  expect(await last.said()).toMatchObject({ type: 'closed' })
  expect(readdirSync(join(home, 'run'))).toEqual([])
  expect(readdirSync(home).sort()).toEqual(['principals.json', 'run', 'token'])
})

test('F197: a number that was given to another process is no lock', async () => {
  const path = join(makeFolder(), 'home')
  const home = await openHome({ path })
  const own = markOfThisProcess()
  const earlier = own.replace(/ \d+/, ' 1')
  // Elsewhere the number is all there is to go by.
  expect(earlier === own).toBe(!isLinux)
  writeFileSync(join(path, 'daemon.lock'), isLinux ? earlier : '999999999')
  const lock = await home.lock()
  expect(readFileSync(join(path, 'daemon.lock'), 'utf8').trim()).toBe(own)
  await expect(home.lock()).rejects.toMatchObject({
    code: 'already-running',
    pid: process.pid,
  })
  lock.release()
  lock.release()
  const again = await home.lock()
  lock.release()
  again.release()
  expect(existsSync(join(path, 'daemon.lock'))).toBe(false)
})

test.each(['', 'nonsense', '-1 2 3', '0'])(
  "F197: a lock with %j in it is nobody's",
  async (text) => {
    const path = join(makeFolder(), 'home')
    const home = await openHome({ path })
    writeFileSync(join(path, 'daemon.lock'), text)
    writeFileSync(join(path, 'daemon.lock.break'), text)
    const lock = await home.lock().catch(() => home.lock())
    lock.release()
  },
)
