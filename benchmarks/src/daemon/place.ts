import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders of a daemon that is there to be measured. */
export interface Place {
  readonly root: string
  readonly home: string
  readonly user: string
  remove(): void
}

export function makePlace(): Place {
  const base = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  const root = join(base, 'project')
  mkdirSync(root)
  return {
    root,
    home: join(base, 'state'),
    user: join(base, 'config'),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** What a daemon can be asked about itself. */
export type Question =
  /** Begins to watch its loop. */
  | 'watch'
  /** The longest time since then that nobody else had a turn; ends that. */
  | 'longest-ms'
  /** When all that can go has gone. */
  | 'memory-bytes'

export interface RunningDaemon {
  readonly socket: string
  readonly token: string
  ask(question: Question): Promise<number>
  close(): Promise<void>
}

/** A daemon in a process of its own. */
export async function runDaemon(place: Place): Promise<RunningDaemon> {
  const program = new URL('./daemon-program.ts', import.meta.url).pathname
  const { root, home, user } = place
  const child = fork(program, [root, home, user])
  const ended = once(child, 'exit')
  const next = async () => {
    const end = ended.then(([code]) => {
      throw new Error(`The daemon ended with ${code}.`)
    })
    const [said] = await Promise.race([once(child, 'message'), end])
    return said
  }
  const socket = String(await next())
  const token = readFileSync(join(home, 'token'), 'utf8').trim()
  return {
    socket,
    token,
    async ask(question) {
      child.send(question)
      return Number(await next())
    },
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
