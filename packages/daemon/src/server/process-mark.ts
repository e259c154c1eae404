import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Which process, for good: its number, when it began, and since which start of
 * the machine. A number alone is given again to others.
 */
export function markOfThisProcess(): string {
  return markOf(process.pid) ?? `${process.pid}`
}

export function pidOf(mark: string): number | undefined {
  const pid = Number(mark.split(' ')[0])
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
}

export function isRunning(mark: string): boolean {
  const pid = pidOf(mark)
  if (pid === undefined) return false
  const now = markOf(pid)
  // Where nothing more can be known, the number has to do.
  return now === undefined ? canSignal(pid) : now === mark.trim()
}

function markOf(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxMark(pid) : otherMark(pid)
}

function linuxMark(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold blanks; the start is 20 fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A process that has ended and that nobody has asked about holds nothing.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return `${pid} ${fields[19]} ${boot}`
  } catch {
    return undefined
  }
}

function otherMark(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined
  try {
    const args = ['-o', 'lstart=', '-p', String(pid)]
    const started = execFileSync('/bin/ps', args, {
      encoding: 'utf8',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return `${pid} ${started.trim().replaceAll(/\s+/g, '-')}`
  } catch {
    return undefined
  }
}

function canSignal(pid: number): boolean {
  if (process.platform === 'linux') return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It lives, and is somebody else's.
    return Object(error).code === 'EPERM'
  }
}
