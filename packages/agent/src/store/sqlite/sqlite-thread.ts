import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads'
import type { SqlValue } from '../database.ts'
import type { FromThread, Outcome, ThreadData, ToThread } from './messages.ts'
import { packOutcome, unpackUnits } from './pack.ts'
import { Reader } from './reader.ts'
import { failureOf } from './sqlite-failure.ts'
import { WriteQueue } from './write-queue.ts'
import { Writer } from './writer.ts'

/** Does what the messages ask for, all that waits at once. */
function serve(port: MessagePort, data: ThreadData): void {
  const texts = new Map<number, string>()
  const queue = new WriteQueue()
  const reader = new Reader(data, texts)
  let writer: Writer | undefined
  let isClosing = false
  const send = (message: FromThread) => port.postMessage(message)

  try {
    if (data.role === 'writer') writer = new Writer(data, texts)
    send({ type: 'open', version: writer?.version ?? '' })
  } catch (error) {
    send({ type: 'failed', failure: failureOf(error, 'open') })
    port.close()
    return
  }
  port.on('message', (message: ToThread) => {
    take(message)
    takeWaiting()
    work()
  })

  function take(message: ToThread): void {
    if (message.type === 'close') {
      isClosing = true
      return
    }
    for (const [number, sql] of message.texts) texts.set(number, sql)
    if (message.type === 'write') queue.add(unpackUnits(message.units))
    else tell(unpackUnits(message.reads).map((unit) => reader.read(unit)))
  }

  function takeWaiting(): void {
    for (;;) {
      const waiting = receiveMessageOnPort(port)
      if (waiting === undefined) return
      take(waiting.message)
    }
  }

  function work(): void {
    while (writer !== undefined && !queue.isEmpty) {
      queue.beginGroup()
      tell(writer.write(() => queue.next()))
      writer.checkpoint()
      takeWaiting()
    }
    if (!isClosing) return
    reader.close()
    writer?.close()
    port.close()
  }

  function tell(outcomes: readonly Outcome[]): void {
    const packed: SqlValue[] = []
    for (const outcome of outcomes) packOutcome(outcome, packed)
    send({ type: 'done', outcomes: packed })
  }
}

// Only `Thread` starts it, and with nothing else.
if (parentPort !== null) serve(parentPort, workerData as ThreadData)
