import { type FileLock, tryLock, withLock } from './file-lock.ts'
import { HomeError } from './home-error.ts'
import { type HomePathOptions, homePaths } from './home-paths.ts'
import { makeToken } from './principal.ts'
import { PrincipalBook, type Principals } from './principals.ts'
import { createPrivateFile, readPrivateFile } from './private-file.ts'
import { makePrivateFolder } from './private-folder.ts'
import { isAnswering } from './socket-file.ts'

export interface HomeOptions extends HomePathOptions {
  readonly now?: () => number
}

/** The state directory of a daemon: who may use it, and where it is reached. */
export interface Home {
  readonly path: string
  readonly socket: string
  /** Why the socket is not in the home; absent: it is. */
  readonly socketNote?: string
  /** The owner's token. It must not reach an agent, a log or a URL. */
  readonly token: string
  readonly principals: Principals
  /** For the one daemon that a home can have; throws if there is one. */
  lock(): Promise<FileLock>
}

/** Makes a home, or checks one that is there. Nobody else can get into it. */
export async function openHome(options: HomeOptions = {}): Promise<Home> {
  const paths = homePaths(options)
  makePrivateFolder(paths.path)
  makePrivateFolder(paths.runFolder)
  const { now = Date.now } = options
  const principals = new PrincipalBook({ path: paths.principals, now })
  const token = await ownToken(paths.token)
  await principals.setOwner(token)
  const { path, socket, socketNote } = paths
  return {
    path,
    socket,
    ...(socketNote === undefined ? {} : { socketNote }),
    token,
    principals,
    async lock() {
      const tried = tryLock(paths.lock)
      if (tried.type === 'held') throw isTaken(path, tried.pid)
      // A daemon of another container has no process that is seen from here.
      if (await isAnswering(socket)) {
        tried.lock.release()
        throw isTaken(path, undefined)
      }
      return tried.lock
    },
  }
}

async function ownToken(path: string): Promise<string> {
  const existing = readToken(path)
  if (existing !== undefined) return existing
  return await withLock(`${path}.lock`, () => {
    const made = readToken(path)
    if (made !== undefined) return made
    const token = makeToken()
    createPrivateFile(path, `${token}\n`)
    return token
  })
}

function readToken(path: string): string | undefined {
  const token = readPrivateFile(path)?.trim()
  if (token === undefined || token.length >= 32) return token
  const message = `"${path}" holds no token; remove it, and a new one is made.`
  throw new HomeError('corrupt-home', message)
}

function isTaken(path: string, pid: number | undefined): HomeError {
  const who = pid === undefined ? 'A daemon' : `A daemon (process ${pid})`
  const message = `${who} runs with "${path}" already; use it, end it with "hookline down", or set HOOKLINE_HOME to another folder.`
  return new HomeError('already-running', message, { pid })
}
