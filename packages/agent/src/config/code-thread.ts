import { writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { cutText } from '../data/cut-text.ts'
import { errorText } from '../data/error-text.ts'
import { offerOwnPackages } from '../handlers/module/own-packages.ts'
import type { CodeAnswer, CodeOrder } from './code-messages.ts'
import { besideCode, placeInStack } from './code-place.ts'
import { dataOf, startOfFile } from './node.ts'
import type { Found } from './problem.ts'
import { nodeOfData, onePlace } from './read/data-node.ts'
import { Report } from './report.ts'

/**
 * Runs one file of configuration in a process of its own, and says what it
 * exports. It is a process, not a thread: memory that runs out, or a signal,
 * would take a thread's neighbours along.
 */
async function serve(order: CodeOrder, post: (text: string) => void) {
  const { file } = order
  const url = pathToFileURL(file).href
  let isTold = false
  const tell = (answer: CodeAnswer) => {
    if (isTold) return
    isTold = true
    post(`${JSON.stringify(answer)}\n`)
  }
  const fail = (message: string, stack?: string) => {
    const at = placeInStack(stack, url) ?? startOfFile
    tell({ type: 'failed', message, ...at })
  }
  const refuse = (thrown: unknown) => {
    const said = JSON.stringify(cutText(errorText(thrown), 200))
    const stack = thrown instanceof Error ? thrown.stack : undefined
    fail(`Its code cannot be run: ${said}; mend it.`, stack)
  }
  process.on('uncaughtException', refuse)
  process.on('exit', (code) => {
    const message =
      code === unsettled
        ? 'Its code waits for something that never comes; mend it.'
        : 'Its code ends the process that runs it; have it export a value.'
    fail(message, new Error(message).stack)
  })
  await startWatch(order)
  offerOwnPackages()
  try {
    const exported: unknown = await import(/* @vite-ignore */ url)
    const value = configIn(exported)
    if (value === undefined) {
      fail('It exports neither `default` nor `config`; export one.')
    } else tell(answerOf(value))
  } catch (error) {
    refuse(error)
  }
  process.exit()
}

/** How Node ends a process that has nothing to do but wait. */
const unsettled = 13

/** Its own thread goes on watching when the code lets nothing else run. */
async function startWatch(order: CodeOrder): Promise<void> {
  const parent = process.ppid
  const watch = new Worker(besideCode('code-watch-thread', import.meta.url), {
    workerData: { ...order, parent },
    env: {},
  })
  watch.unref()
  await new Promise((resolve, reject) => {
    watch.once('message', resolve)
    watch.once('error', reject)
  })
}

function configIn(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null) return undefined
  if ('default' in exported && exported.default) return exported.default
  return 'config' in exported ? exported.config : undefined
}

/** What is no data is told by name: whoever asks sees only what JSON can say. */
function answerOf(value: unknown): CodeAnswer {
  const found = new FoundProblems()
  const node = nodeOfData(value, onePlace(startOfFile), found)
  if (node !== undefined && !found.hasErrors) {
    return { type: 'data', data: dataOf(node) }
  }
  return { type: 'not-data', problems: found.all.slice(0, maxProblems) }
}

const maxProblems = 100

/** As they were found: whoever asks has a report of its own. */
class FoundProblems extends Report {
  readonly all: Found[] = []

  constructor() {
    super('', 'user')
  }

  override add(found: Found): void {
    this.all.push(found)
    super.add(found)
  }
}

const given = process.argv[2]
if (given !== undefined) {
  // Written by `runCodeFile`.
  const order = JSON.parse(given) as CodeOrder
  await serve(order, (text) => writeSync(order.descriptor, text))
}
