import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = new URL('./fixtures/flood-program.ts', import.meta.url)
const gigabyte = 1_000_000_000
const maxGrownBytes = 10_000_000

async function flood(stream: string, bytes: number) {
  const args = [program.pathname, stream, String(bytes)]
  const { stdout } = await run(process.execPath, args)
  const end = JSON.parse(stdout)
  const grown = (end.grownBytes / 1e6).toFixed(1)
  console.log(
    `${bytes / 1e6} MB of ${stream}: memory grew ${grown} MB, ${end.elapsedMs} ms`,
  )
  return end
}

test('F052 1 GB of output ends the program, and memory grows by less than 10 MB', async () => {
  const end = await flood('stdout', gigabyte)
  expect(end).toMatchObject({ signal: 'SIGKILL', isStdoutCut: true })
  expect(end.isTimedOut).toBe(false)
  expect(end.keptBytes).toBeLessThan(1_200_000)
  expect(end.grownBytes).toBeLessThan(maxGrownBytes)
}, 60_000)

test('F052 of 200 MB of output most is thrown away, and its program ends by itself', async () => {
  const end = await flood('stdout', 200_000_000)
  expect(end).toMatchObject({ exitCode: 3, isStdoutCut: true })
  expect(end.grownBytes).toBeLessThan(maxGrownBytes)
}, 60_000)

test('F053 of 1 GB of errors the first and the last are kept, and it is no failure', async () => {
  const end = await flood('stderr', gigabyte)
  expect(end).toMatchObject({ exitCode: 3, isStderrCut: true })
  expect(end.keptBytes).toBeLessThan(140_000)
  expect(end.grownBytes).toBeLessThan(maxGrownBytes)
}, 60_000)
