// Runs every example; each must end by itself with exit code 0. Two at a time:
// most of their time is that of starting.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

const TIMEOUT_MS = 60_000
const AT_ONCE = 2

const waiting = globSync(['examples/src/*.ts', 'examples/src/hooks/*.ts'])
  .map((file) => file.replaceAll('\\', '/'))
  .sort()
if (waiting.length === 0) throw new Error('examples/src holds no example.')

/**
 * Runs one example, and says what it printed and how it ended.
 * @param {string} file
 * @returns {Promise<{ output: string, end: number | string | null }>}
 */
function run(file) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', reject)
    child.on('close', (status, signal) => {
      resolve({ output, end: signal ?? status })
    })
  })
}

async function runNext() {
  for (;;) {
    const file = waiting.shift()
    if (file === undefined) return
    const { output, end } = await run(file)
    if (end !== 0) {
      console.error(output)
      console.error(`${file} ended with ${end}.`)
      process.exitCode = 1
      // The rest would only hide it.
      waiting.length = 0
      return
    }
    console.log(file)
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, runNext))
