import { readdirSync, readFileSync } from 'node:fs'
import type { SandboxDefinition } from '../definition.ts'

/** What a sandboxed command took too much of. */
export type Exceeded = 'processes' | 'memory'

const everyMs = 100
const mebibyte = 1_048_576
const pageBytes = 4_096

/**
 * Looks now and then at all the processes of a sandbox: what the system counts
 * for each of them it does not count for all, unless somebody made a control
 * group. Returns how to stop.
 */
export function watchLimits(
  pid: number,
  limits: SandboxDefinition | undefined,
  onExceeded: (what: Exceeded) => void,
): () => void {
  const { maxProcesses = Infinity, maxMemoryMb = Infinity } = limits ?? {}
  const isLimited = maxProcesses < Infinity || maxMemoryMb < Infinity
  if (!isLimited || process.platform !== 'linux') return () => {}
  const look = () => {
    const pids = familyOf(pid, maxProcesses + ownProcesses)
    const what =
      pids.length > maxProcesses + ownProcesses
        ? 'processes'
        : takesMore(pids, maxMemoryMb * mebibyte)
          ? 'memory'
          : undefined
    if (what === undefined) return
    clearInterval(timer)
    onExceeded(what)
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Bubblewrap itself, outside and inside. */
const ownProcesses = 2

/**
 * A process and its descendants, as many as need be. In a sandbox whoever
 * loses its parent gets the first process there, so that nobody is missed.
 */
function familyOf(pid: number, enough: number): readonly number[] {
  const found = [pid]
  for (const one of found) {
    if (found.length > enough) break
    found.push(...childrenOf(one))
  }
  return found
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter((child) => child !== '')
        .map(Number),
    )
  } catch {
    // It has just ended.
    return []
  }
}

/** What processes share is counted once for each, so a yes is looked at again. */
function takesMore(pids: readonly number[], bytes: number): boolean {
  return sum(pids, ownBytes) > bytes && sum(pids, fairBytes) > bytes
}

function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0)
}

function ownBytes(pid: number): number {
  const [, resident = 0, ofFiles = 0] = read(`/proc/${pid}/statm`)
    .split(' ')
    .map(Number)
  return (resident - ofFiles) * pageBytes
}

/** With its share of what it has together with others. */
function fairBytes(pid: number): number {
  const text = read(`/proc/${pid}/smaps_rollup`)
  return 1_024 * Number(/^Pss_Anon: +(\d+)/m.exec(text)?.[1] ?? 0)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
