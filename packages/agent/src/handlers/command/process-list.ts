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
  /** A thread of the system, which never has variables. */
  readonly isKernel: boolean
}

// PF_EXITING and PF_KTHREAD of its flags, and SIGKILL among the signals that
// wait for it.
const exiting = 0x4
const kernel = 0x20_0000
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
    isKernel: (Number(fields[6]) & kernel) !== 0,
  }
}

/** A dead process that nobody has asked after still has an entry. */
export function isAlive({ state }: ProcessFacts): boolean {
  return state !== 'Z' && state !== 'X'
}

/** What there is to be seen of a variable of another process. */
interface SeenVariable {
  readonly value?: string
  /** None of them can be read now: it becomes another program, or waits for a disk. */
  readonly isHidden: boolean
}

export function lookAtVariable(
  { pid, state, isKernel }: ProcessFacts,
  name: string,
): SeenVariable {
  // To read it may wait for a process that waits for a disk.
  const all = state === 'D' ? '' : read(`/proc/${pid}/environ`)
  if (all === '') return { isHidden: !isKernel }
  const start = `\0${all ?? ''}`.indexOf(`\0${name}=`)
  if (all === undefined || start === -1) return { isHidden: false }
  const from = start + name.length + 1
  const end = all.indexOf('\0', from)
  const value = all.slice(from, end === -1 ? undefined : end)
  return { value, isHidden: false }
}

export function readVariable(
  facts: ProcessFacts,
  name: string,
): string | undefined {
  return lookAtVariable(facts, name).value
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
