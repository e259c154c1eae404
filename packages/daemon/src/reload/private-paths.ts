import { realpath } from 'node:fs/promises'
import {
  basename,
  dirname,
  isAbsolute,
  join,
  relative,
  resolve,
} from 'node:path'
import { configFolders } from '@hookline/agent/config'
import type { FoundPlaces } from './load-settings.ts'
import type { KeySource, Settings } from './settings.ts'
import { WorkspaceError } from './workspace-error.ts'

/** What of ours lies about, and what agents could do with it. */
export interface PrivatePaths {
  /** What nobody who works for us may see. */
  readonly secret: readonly string[]
  /** The same, but it comes and goes. */
  readonly beside: readonly string[]
  /** What decides what we run. */
  readonly config: readonly string[]
}

/** What a store keeps beside its file. */
const storeEndings = ['-wal', '-shm', '-journal', '-ballast']

export function privatePaths(
  { home, load }: Pick<FoundPlaces, 'home' | 'load'>,
  { store, daemon }: Pick<Settings, 'store' | 'daemon'>,
): PrivatePaths {
  const { key, payloadKeys, file } = store
  const keys: readonly KeySource[] = [...(key ? [key] : []), ...payloadKeys]
  const { tls } = daemon.listen
  const folders = configFolders(load).filter(
    ({ layer }) => layer === 'managed' || layer === 'user',
  )
  return {
    secret: [
      home,
      ...(file === undefined ? [] : [file]),
      ...keys.flatMap((one) => ('file' in one ? [one.file] : [])),
      ...(tls ? [tls.keyFile] : []),
    ],
    beside: file === undefined ? [] : storeEndings.map((end) => file + end),
    config: folders.map(({ folder }) => folder),
  }
}

/** Throws where agents could reach what is ours from the project they work in. */
export async function checkPrivate(
  { secret, config }: PrivatePaths,
  root: string,
): Promise<void> {
  const project = await realpath(root)
  for (const path of [...secret, ...config]) {
    const way = relative(project, await realPlace(resolve(path)))
    const isOutside = isAbsolute(way) || way.split(/[\\/]/)[0] === '..'
    if (isOutside) continue
    const message = `"${path}" is within the project "${root}", where agents could reach it: neither the state directory nor a store, a key or configuration of yours may be there. Move it, or choose another project or HOOKLINE_HOME.`
    throw new WorkspaceError('unsafe-home', message)
  }
}

/** Where something really is, or will be when it is there. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(await realPlace(above), basename(path))
  }
}
