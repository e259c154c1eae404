import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { errorText } from '../data/error-text.ts'
import type { CodeAnswer, CodeOrder } from './code-messages.ts'
import { besideCode } from './code-place.ts'
import { startOfFile } from './node.ts'
import { quote } from './problem.ts'

export interface CodeLimits {
  readonly maxMs: number
  readonly maxMemoryMb: number
}

/** For what its own watch cannot see: a process that was stopped, or is swapped out. */
const graceMs = 5_000
const maxChars = 10_000_000
const descriptor = 3

/**
 * Runs a file of code where it can do this process no harm: whatever it does,
 * it is over in time. What it prints is dropped.
 */
export async function runCodeFile(
  file: string,
  limits: CodeLimits,
): Promise<CodeAnswer> {
  const order: CodeOrder = { file, ...limits, descriptor }
  const child = start(order)
  const exit = new Promise<CodeAnswer>((resolve) => {
    child.once('error', (error) =>
      resolve(failed(`Its process cannot be started: ${errorText(error)}`)),
    )
    child.once('close', (code, signal) =>
      resolve(failed(`Its process ended by itself (${signal ?? code})`)),
    )
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<CodeAnswer>((resolve) => {
    const answer = failed(`Its process does not end in ${limits.maxMs} ms`)
    timer = setTimeout(resolve, limits.maxMs + graceMs, answer)
  })
  try {
    return await Promise.race([answerFrom(child), exit, late])
  } finally {
    clearTimeout(timer)
    end(child)
  }
}

function start(order: CodeOrder): ChildProcess {
  const program = besideCode('code-thread', import.meta.url)
  const args = [
    '--no-warnings',
    // The watch is to find it before Node does, which could only abort.
    `--max-old-space-size=${order.maxMemoryMb * 2}`,
    fileURLToPath(program),
    JSON.stringify(order),
  ]
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    // A group of its own, so that what it starts ends with it.
    detached: process.platform !== 'win32',
  })
}

/** The first line; nothing, as long as there is none. */
function answerFrom(child: ChildProcess): Promise<CodeAnswer> {
  return new Promise((resolve) => {
    // Its stdio has one there, which reads.
    const pipe = child.stdio[descriptor] as Readable | null | undefined
    let text = ''
    pipe?.setEncoding('utf8')
    pipe?.on('error', () => {})
    pipe?.on('data', (piece: string) => {
      text += piece
      if (text.length > maxChars) {
        resolve(failed('What it exports is too large'))
      } else if (piece.includes('\n')) resolve(readAnswer(text))
    })
  })
}

function readAnswer(text: string): CodeAnswer {
  try {
    // The program is ours; code that forges its answer could as well give it.
    return JSON.parse(text.slice(0, text.indexOf('\n'))) as CodeAnswer
  } catch (error) {
    return failed(`Its process answers ${quote(errorText(error))}`)
  }
}

function failed(message: string): CodeAnswer {
  return { type: 'failed', message: `${message}; mend it.`, ...startOfFile }
}

function end(child: ChildProcess): void {
  child.on('error', () => {})
  const { pid } = child
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended, and so has all that it started.
  }
}
