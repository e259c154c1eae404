import { type ChildProcess, execFile } from 'node:child_process'

/** Signals a child and all that it has started, as far as they stay together. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid, exitCode, signalCode } = child
  const isGone = exitCode !== null || signalCode !== null
  if (pid === undefined || isGone) return
  if (process.platform === 'win32') {
    // There are no groups and no polite signals there.
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => {})
    return
  }
  kill(pid, signal)
}

/**
 * Ends what a child has left in its group. Only at once when it has ended: as
 * long as the group has members, nobody else gets its number.
 */
export function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined && process.platform !== 'win32') kill(pid, 'SIGKILL')
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // There is nobody left.
  }
}

const running = new Set<ChildProcess>()
const endAll = () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
}

/** Until it has ended, a child ends with this program at the latest. */
export function tieToProcess(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', endAll)
  running.add(child)
  child.once('exit', () => {
    running.delete(child)
    if (running.size === 0) process.off('exit', endAll)
  })
}
