import { readFileSync } from 'node:fs'

/** When a process began, and since which start of the machine. */
export interface ProcessBirth {
  readonly startedAt: string
  readonly boot: string
}

/** Undefined if there is no such process, or the machine does not tell. */
export function birthOf(pid: number): ProcessBirth | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold blanks; the start is 20 fields after it.
    const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return startedAt === undefined ? undefined : { startedAt, boot }
  } catch {
    return undefined
  }
}
