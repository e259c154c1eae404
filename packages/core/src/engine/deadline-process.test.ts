import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const source = new URL('../index.ts', import.meta.url).href

/** Runs a program with our sources in a Node process of its own. */
async function runProgram(lines: string) {
  const program = `
    import * as hookline from ${JSON.stringify(source)}
    const { compileTable, createEngine, definePoint, proceed, type } = hookline
    const gate = definePoint('test.gate', { input: type(), answers: ['reject'] })
    const ask = (run, options) =>
      createEngine(compileTable([{ name: 'a', on: gate, run }])).run(gate, '', options)
    ${lines}`
  const args = ['--no-warnings', '--input-type=module', '--eval', program]
  // Less than the time that a hook has by itself, which must not keep it.
  const child = spawn(process.execPath, args, { timeout: 25_000 })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const [code] = await once(child, 'close')
  return { code, printed: printed.trim() }
}

test('a process ends by itself when its last dispatch has, although time limits were set', async () => {
  const { code, printed } = await runProgram(`
    const outcome = await ask(async () => proceed)
    console.log(outcome.type)`)
  expect({ code, printed }).toEqual({ code: 0, printed: 'proceed' })
})

test('a process lives as long as a hook that it waits for', async () => {
  // Nothing else keeps it: the timer that answers does not.
  const { code, printed } = await runProgram(`
    const outcome = await ask(() => new Promise((resolve) => {
      setTimeout(() => resolve(proceed), 300).unref()
    }))
    console.log(outcome.type)`)
  expect({ code, printed }).toEqual({ code: 0, printed: 'proceed' })
})

test('a process lives as long as the second hook that it waits for', async () => {
  const { code, printed } = await runProgram(`
    const run = (ms) => new Promise((resolve) => {
      setTimeout(() => resolve(proceed), ms).unref()
    })
    const engine = createEngine(compileTable([{ name: 'a', on: gate, run }]))
    await engine.run(gate, 1)
    const outcome = await engine.run(gate, 300)
    console.log(outcome.type)`)
  expect({ code, printed }).toEqual({ code: 0, printed: 'proceed' })
})

test('a worker lives as long as the second hook that it waits for', async () => {
  const { code, printed } = await runProgram(`
    const { isMainThread, Worker } = await import('node:worker_threads')
    const inWorker = async () => {
      const run = (ms) => new Promise((resolve) => {
        setTimeout(() => resolve(proceed), ms).unref()
      })
      const engine = createEngine(compileTable([{ name: 'a', on: gate, run }]))
      await engine.run(gate, 1)
      const outcome = await engine.run(gate, 300)
      console.log(outcome.type)
    }
    const source = \`import * as hookline from ${JSON.stringify(source)}
      const { compileTable, createEngine, definePoint, proceed, type } = hookline
      const gate = definePoint('test.gate', { input: type(), answers: ['reject'] })
      await (\${inWorker})()\`
    new Worker(new URL('data:text/javascript,' + encodeURIComponent(source)))`)
  expect({ code, printed }).toEqual({ code: 0, printed: 'proceed' })
})

test('a process lives until the time of a hook that never answers is up', async () => {
  const { code, printed } = await runProgram(`
    const outcome = await ask(() => new Promise(() => {}), { deadlineMs: 300 })
    console.log(outcome.reason)`)
  expect({ code, printed }).toEqual({
    code: 0,
    printed: 'hook_error:timed-out',
  })
})

test('F006 a process survives a hook that rejects when its time is up', async () => {
  const { code, printed } = await runProgram(`
    const late = (_, { signal }) => new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        setTimeout(() => reject(new Error('late')), 20)
      })
    })
    const outcome = await ask(late, { deadlineMs: 20 })
    setTimeout(() => console.log(outcome.reason), 300)`)
  expect({ code, printed }).toEqual({
    code: 0,
    printed: 'hook_error:timed-out',
  })
})

test('a process ends by itself when its caller has given up on a hook', async () => {
  const { code, printed } = await runProgram(`
    const caller = new AbortController()
    const asked = ask(() => new Promise(() => {}), { signal: caller.signal })
    caller.abort()
    await asked.catch((error) => console.log(error.code))`)
  expect({ code, printed }).toEqual({ code: 0, printed: 'cancelled' })
})
