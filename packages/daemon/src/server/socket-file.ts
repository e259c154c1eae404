import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { HomeError } from './home-error.ts'
import { checkPrivateFolder, isOwn, lookAt } from './private-folder.ts'

const answerMs = 2_000

/**
 * Makes way for a socket: the folder is private, and a socket that a crash has
 * left behind is removed. Throws where somebody listens, or where something
 * else is in its place.
 */
export async function clearSocket(path: string): Promise<void> {
  checkPrivateFolder(dirname(path))
  const stats = lookAt(path)
  if (stats === undefined) return
  if (!stats.isSocket() || !isOwn(stats)) {
    const what = stats.isSocket() ? 'belongs to somebody else' : 'is no socket'
    const message = `"${path}" ${what}, so that it is not replaced; look at it, and move it away.`
    throw new HomeError('unsafe-socket', message)
  }
  if (await isAnswering(path)) {
    const message = `Somebody listens at "${path}" already; use that daemon, or end it with "hookline down".`
    throw new HomeError('already-running', message)
  }
  rmSync(path, { force: true })
}

/** Whether a process accepts connections there, even if it does nothing else. */
export function isAnswering(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const settle = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    // Somebody has it open, or there would have been an error.
    socket.setTimeout(answerMs, () => settle(true))
    socket.once('connect', () => settle(true))
    socket.once('error', (error) => {
      // A full queue is a process that listens.
      settle(Object(error).code === 'EAGAIN')
    })
  })
}
