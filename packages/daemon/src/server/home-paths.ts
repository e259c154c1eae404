import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface HomePathOptions {
  /** Default: as the environment says. */
  readonly path?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Where everything of a home is. Nothing is looked at or made. */
export interface HomePaths {
  readonly path: string
  readonly token: string
  readonly principals: string
  readonly lock: string
  readonly runFolder: string
  readonly socket: string
  /** Why the socket is not in the home; absent: it is. */
  readonly socketNote?: string
}

/** A path of a unix socket holds so many bytes, and a zero. */
const maxSocketBytes = process.platform === 'linux' ? 107 : 103

export function homePaths({
  path,
  env = process.env,
}: HomePathOptions = {}): HomePaths {
  const home = resolve(path ?? homeOf(env))
  const inHome = join(home, 'run')
  const fits = Buffer.byteLength(join(inHome, 'daemon.sock')) <= maxSocketBytes
  const runFolder = fits ? inHome : shortFolder(home)
  const socket = join(runFolder, 'daemon.sock')
  const paths = {
    path: home,
    token: join(home, 'token'),
    principals: join(home, 'principals.json'),
    lock: join(home, 'daemon.lock'),
    runFolder,
    socket,
  }
  if (fits) return paths
  const socketNote = `The path of "${home}" is too long for a socket, so that it is at "${socket}".`
  return { ...paths, socketNote }
}

function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  const given = env['HOOKLINE_HOME']
  if (given) return given
  const state = env['XDG_STATE_HOME']
  if (state) return join(state, 'hookline')
  return join(env['HOME'] || homedir(), '.local', 'state', 'hookline')
}

/**
 * The same for the same home, whatever the environment: clients have to find it
 * as the daemon does.
 */
function shortFolder(home: string): string {
  // Only here: to load it takes longer than all else that a client does.
  const { createHash } = process.getBuiltinModule('node:crypto')
  const key = createHash('sha256').update(home).digest('hex').slice(0, 16)
  return `/tmp/hookline-${process.getuid?.() ?? 'user'}-${key}`
}
