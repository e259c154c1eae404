import { randomBytes } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { readProcess } from './process-list.ts'

/**
 * The variable that every process of a run has in its environment, so that
 * it is found wherever it went.
 */
export const runTagVariable = 'HOOKLINE_RUN'

/**
 * Names the run, and the process that answers for it: its namespace, id and
 * start. No file has to be kept to tell later that this process is gone.
 */
export function newRunTag(): string {
  owner ??= describeOwner()
  return `${owner}.${randomBytes(9).toString('base64url')}`
}

let owner: string | undefined

function describeOwner(): string {
  const started = readProcess(process.pid)?.startTicks ?? 0
  return `${namespaceId()}.${process.pid}.${started}`
}

/** Whether whoever answers for this run no longer exists; if in doubt, no. */
export function isOrphanTag(tag: string): boolean {
  const [namespace, pid, started] = tag.split('.')
  if (namespace === undefined || namespace === '0') return false
  // A process of another namespace counts its ids in its own way.
  if (namespace !== namespaceId()) return false
  const alive = readProcess(Number(pid))
  return alive === undefined || String(alive.startTicks) !== started
}

/** Which processes can see each other; 0 where that cannot be told. */
function namespaceId(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}
