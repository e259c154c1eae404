import { readdirSync, readFileSync } from 'node:fs'

/** A process as Linux shows it; elsewhere there is none to be seen. */
export interface ProcessFacts {
  readonly pid: number
  readonly state: string
  readonly parent: number
  readonly group: number
  readonly session: number
  /** With the id this is one process for ever; ids alone come again. */
  readonly startTicks: number
  /** It was killed, or ends by itself; but is still listed. */
  readonly isEnding: boolean
}

// PF_EXITING of its flags, and SIGKILL among the signals that wait for it.
const exiting = 0x4
const killed = 0x100

export function readProcess(pid: number): ProcessFacts | undefined {
  const text = read(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  // Its name is in brackets and may hold anything, brackets too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    pid,
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTicks: Number(fields[19]),
    isEnding:
      (Number(fields[6]) & exiting) !== 0 ||
      (Number(fields[28]) & killed) !== 0,
  }
}

/** A dead process that nobody has asked after still has an entry. */
export function isAlive({ state }: ProcessFacts): boolean {
  return state !== 'Z' && state !== 'X'
}

export function readVariable(
  { pid, state }: ProcessFacts,
  name: string,
): string | undefined {
  // To read it may wait for a process that waits for a disk.
  if (state === 'D') return undefined
  const all = read(`/proc/${pid}/environ`)
  if (all === undefined) return undefined
  const start = `\0${all}`.indexOf(`\0${name}=`)
  if (start === -1) return undefined
  const from = start + name.length + 1
  const end = all.indexOf('\0', from)
  return all.slice(from, end === -1 ? undefined : end)
}

export function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/**
 * Those that may have been started since this one: ids are given out in
 * rising order, and begin again at the end.
 */
export function listPidsSince(pid: number): number[] {
  const last = Number(read('/proc/loadavg')?.trim().split(' ').at(-1))
  const all = listPids()
  if (!Number.isInteger(last)) return all
  if (last >= pid) return all.filter((one) => one > pid && one <= last)
  return all.filter((one) => one > pid || one <= last)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
