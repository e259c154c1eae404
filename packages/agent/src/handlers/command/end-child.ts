import { type ChildProcess, execFile } from 'node:child_process'
import { endProcess, findTagged, signalGroup } from './process-tree.ts'

/** Asks a child and its group; does nothing when the child has ended. */
export function signalChild(
  { pid, exitCode, signalCode }: ChildProcess,
  signal: NodeJS.Signals,
): void {
  // Only while we have not waited for it is its id, and its group's, its own.
  const isGone = exitCode !== null || signalCode !== null
  if (pid === undefined || isGone) return
  if (process.platform === 'win32') endWindowsTree(pid)
  else signalGroup(pid, signal)
}

/** Ends a child, its group, and whatever of the run has left the group. */
export function endChild(child: ChildProcess, tag: string): void {
  signalChild(child, 'SIGKILL')
  for (const facts of findTagged((one) => one === tag)) endProcess(facts)
}

// There are no groups and no polite signals there.
function endWindowsTree(pid: number): void {
  execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => {})
}
