import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import type { RpcMessage, Transport } from './client-package.ts'
import { Unreachable } from './failures.ts'
import { LineReader } from './line-reader.ts'
import { endGroup, signalGroup, tieToProcess } from './process-group.ts'

export interface StdioSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly maxMessageBytes: number
}

const maxStderrBytes = 16_384
const maxUnreadBytes = 16_777_216
const maxGarbageLines = 100
// About real processes, so that no clock of a test is asked.
const graceMs = 500
const drainMs = 250

/**
 * Speaks with a program over its standard input and output, one message a
 * line. Not the transport of the package: that has no group of processes to
 * end, hands on more of the environment, and reads lines of any number.
 */
export class StdioTransport implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: ((message: RpcMessage) => void) | undefined
  readonly #spec: StdioSpec
  readonly #lines: LineReader
  #child: ChildProcess | undefined
  #stderr = Buffer.alloc(0)
  #garbage = 0
  #closing: Promise<void> | undefined
  #isClosed = false

  constructor(spec: StdioSpec) {
    this.#spec = spec
    this.#lines = new LineReader({
      maxBytes: spec.maxMessageBytes,
      take: (line) => this.#receive(line),
      overflow: () =>
        this.#violate(
          `It sent a message of more than ${spec.maxMessageBytes} bytes.`,
        ),
    })
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** The end of what it has said beside its messages. */
  get stderr(): string {
    return this.#stderr.toString()
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#spec
    // A missing folder would be told as a missing program.
    const facts = await stat(cwd).catch(() => undefined)
    if (facts?.isDirectory() !== true) {
      throw new Unreachable(`Its folder "${cwd}" is not there.`)
    }
    if (this.#isClosed)
      throw new Unreachable('It was stopped before it started.')
    const child = spawn(command, [...args], {
      cwd,
      env: { ...env },
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    if (child.pid === undefined) {
      const [error] = await once(child, 'error')
      throw new Unreachable(`It cannot be started (${codeOf(error)}).`)
    }
    this.#child = child
    tieToProcess(child)
    child.on('error', () => {})
    child.stdin?.on('error', () => {})
    child.stdout?.on('data', (chunk: Buffer) => this.#lines.add(chunk))
    child.stderr?.on('data', (chunk: Buffer) => this.#keepStderr(chunk))
    child.once('exit', () => void this.#bury(child))
  }

  async send(message: RpcMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (this.#isClosed || !stdin?.writable) {
      throw new Unreachable('It has ended.')
    }
    if (stdin.writableLength > maxUnreadBytes) {
      throw new Unreachable('It does not read what it is sent.')
    }
    stdin.write(`${JSON.stringify(message)}\n`)
  }

  /** Asks it to end, then ends it; settles when it is gone. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Ends it at once. */
  kill(): void {
    this.#lines.stop()
    if (this.#child) signalGroup(this.#child, 'SIGKILL')
  }

  async #close(): Promise<void> {
    const child = this.#child
    if (child === undefined || this.#isClosed) return this.#finish()
    const gone = new Promise<void>((resolve) => {
      const before = this.onclose
      this.onclose = () => {
        before?.()
        resolve()
      }
    })
    child.stdin?.end()
    const timers = [
      setTimeout(() => signalGroup(child, 'SIGTERM'), graceMs),
      setTimeout(() => signalGroup(child, 'SIGKILL'), 2 * graceMs),
    ]
    await gone
    for (const timer of timers) clearTimeout(timer)
  }

  #receive(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      message = undefined
    }
    if (isMessage(message)) {
      this.onmessage?.(message)
      return
    }
    // Some print a greeting. One that never stops is no server.
    this.#garbage++
    if (this.#garbage > maxGarbageLines) {
      this.#violate('What it sends are no messages of MCP.')
    }
  }

  #violate(what: string): void {
    this.onerror?.(new Unreachable(what))
    this.kill()
  }

  #keepStderr(chunk: Buffer): void {
    const all = Buffer.concat([this.#stderr, chunk.subarray(-maxStderrBytes)])
    this.#stderr = all.subarray(-maxStderrBytes)
  }

  /** Its last words may still be on their way; what it left behind goes too. */
  async #bury(child: ChildProcess): Promise<void> {
    endGroup(child)
    const { stdin, stdout, stderr, exitCode, signalCode } = child
    const how = signalCode ?? `exit code ${exitCode}`
    this.onerror?.(new Unreachable(`It ended by itself (${how}).`))
    if (stdout && !stdout.closed) {
      // A process that has left the group may hold the pipe for ever.
      const late = AbortSignal.timeout(drainMs)
      await once(stdout, 'close', { signal: late }).catch(() => {})
    }
    for (const stream of [stdin, stdout, stderr]) stream?.destroy()
    this.#finish()
  }

  #finish(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#lines.stop()
    this.onclose?.()
  }
}

function isMessage(value: unknown): value is RpcMessage {
  if (typeof value !== 'object' || value === null) return false
  return 'jsonrpc' in value && value.jsonrpc === '2.0'
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  return 'unknown'
}
