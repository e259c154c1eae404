import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { stageForEach } from '../fixtures/stage.ts'
import { runCommand } from '../fixtures/terminal.ts'

const stage = stageForEach()

/** A daemon from before 0.3.0, and the words that lead to it. */
async function startOld() {
  const server = createServer((_, response) =>
    response.writeHead(426, { 'hookline-protocol': '1' }).end('{}'),
  ).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  // It listens on a port, so that this is its address.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const file = stage.project.write('token', 'hkl_0123456789abcdef')
  return ['--url', url, '--token-file', file]
}

const sentence =
  'speaks version 1 of the protocol, and this program version 2; end its process, and start it again with "hookline up".'

test('F202: a command says that the daemon is the older one, and how it is ended without "hookline down"', async () => {
  const reach = await startOld()
  for (const word of ['status', 'down']) {
    const { code, stdout, stderr } = await stage.ask(word, ...reach)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).toContain('"hookline up" says which process it is')
  }
})

test('F202: a product is refused, and told so', async () => {
  const reach = await startOld()
  const input = JSON.stringify({ hook_event_name: 'PreToolUse' })
  const words = ['bridge', 'claude-code', ...reach]
  const answer = await runCommand(stage.project, words, { input })
  expect(answer).toMatchObject({ code: 2, stdout: '' })
  expect(answer.stderr).toContain(sentence)
})
