import { writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { CodeAnswer, CodeOrder } from './code-messages.ts'
import { type Place, startOfFile } from './node.ts'

const everyMs = 20
const pauseMs = 2_000
const mebibyte = 1_048_576

/** Ends its process when the code there takes too long, too much, or nobody waits. */
function watch(order: CodeOrder & { readonly parent: number }): void {
  const { file, maxMs, maxMemoryMb, parent, descriptor } = order
  const endMs = performance.now() + maxMs
  const refuse = async (message: string) => {
    clearInterval(timer)
    const at = (await placeOfCode(pathToFileURL(file).href)) ?? startOfFile
    const answer: CodeAnswer = { type: 'failed', message, ...at }
    writeSync(descriptor, `${JSON.stringify(answer)}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  const look = () => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    if (process.memoryUsage.rss() > maxMemoryMb * mebibyte) {
      void refuse(
        `Its code takes more than ${maxMemoryMb} MiB of memory; mend it.`,
      )
    } else if (performance.now() > endMs) {
      void refuse(`Its code takes more than ${maxMs} ms; mend it.`)
    }
  }
  const timer = setInterval(look, everyMs)
}

/** Where the code is now; nothing, where it only waits. */
async function placeOfCode(url: string): Promise<Place | undefined> {
  const session = new Session()
  const scripts = new Set<string>()
  // Frames name scripts by numbers alone.
  session.on('Debugger.scriptParsed', ({ params }) => {
    if (params.url === url) scripts.add(params.scriptId)
  })
  const place = new Promise<Place | undefined>((resolve) => {
    setTimeout(() => resolve(undefined), pauseMs)
    session.on('Debugger.paused', ({ params }) => {
      const frame = params.callFrames.find(({ location }) =>
        scripts.has(location.scriptId),
      )
      if (frame === undefined) resolve(undefined)
      else {
        const { lineNumber, columnNumber = 0 } = frame.location
        resolve({ line: lineNumber + 1, column: columnNumber + 1 })
      }
    })
  })
  try {
    session.connectToMainThread()
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  } catch {
    return undefined
  }
  return await place
}

if (parentPort !== null) {
  watch(workerData)
  parentPort.postMessage('ready')
}
