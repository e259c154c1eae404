import type { ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { openInput } from './input-file.ts'
import { closePipe, type PipePool } from './pipe-pool.ts'

/** Gets what a child prints, piece by piece; the pieces are only lent. */
type OutputListener = (chunk: Uint8Array) => void

/** What one child reads and writes. */
export interface ChildStreams {
  readonly stdio: ['pipe' | number, 'pipe' | number, 'pipe' | number]
  /** Once there is a child: gives it its input and listens to its output. */
  connect(child: ChildProcess, listeners: OutputListeners): ConnectedStreams
  /** There is no child after all. */
  drop(): void
}

export interface OutputListeners {
  readonly stdout: OutputListener
  readonly stderr: OutputListener
}

export interface ConnectedStreams {
  readonly outputs: readonly Readable[]
  readonly stdin: Writable | undefined
}

/** A file and pipes; or, where there are none, the sockets of Node. */
export async function openStreams(
  input: string,
  pool: PipePool,
): Promise<ChildStreams> {
  const [output, errors] = (await pool.take(2)) ?? []
  if (output === undefined || errors === undefined) return socketStreams(input)
  const file = openInput(input)
  const own = [
    output.write,
    errors.write,
    ...(file === undefined ? [] : [file]),
  ]
  return {
    stdio: [file ?? 'pipe', output.write, errors.write],
    connect: (child, { stdout, stderr }) => {
      for (const fd of own) closeSync(fd)
      const outputs = [
        openReader(output.read, stdout),
        openReader(errors.read, stderr),
      ]
      return { outputs, stdin: writeInput(child, input) }
    },
    drop: () => {
      closePipe(output)
      closePipe(errors)
      if (file !== undefined) closeSync(file)
    },
  }
}

/** Reads into the same memory again and again: a flood leaves no garbage. */
function openReader(fd: number, listener: OutputListener): Readable {
  const buffer = Buffer.allocUnsafe(readBytes)
  const callback = (size: number) => {
    listener(buffer.subarray(0, size))
    return true
  }
  const onread = { buffer, callback }
  const reader = new Socket({ fd, writable: false, onread })
  reader.resume()
  return reader
}

const readBytes = 65_536

function socketStreams(input: string): ChildStreams {
  return {
    stdio: ['pipe', 'pipe', 'pipe'],
    connect: (child, { stdout, stderr }) => {
      child.stdout?.on('data', stdout)
      child.stderr?.on('data', stderr)
      const outputs = [child.stdout, child.stderr].filter((one) => one !== null)
      return { outputs, stdin: writeInput(child, input) }
    },
    drop: () => {},
  }
}

function writeInput(
  { stdin }: ChildProcess,
  input: string,
): Writable | undefined {
  if (stdin === null) return undefined
  // A program need not read what it is told.
  stdin.on('error', () => {})
  stdin.end(input)
  return stdin
}
