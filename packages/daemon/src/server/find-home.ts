import { type HomePathOptions, homePaths } from './home-paths.ts'
import { readPrivateFile } from './private-file.ts'
import { checkPrivateFolder, lookAt } from './private-folder.ts'

export interface FoundHome {
  readonly path: string
  readonly socket: string
  /** The owner's. */
  readonly token: string
}

/**
 * What a client on this machine needs to reach its daemon; undefined where no
 * daemon has ever run. Throws where the home is not safe to use.
 */
export function findHome(options: HomePathOptions = {}): FoundHome | undefined {
  const { path, runFolder, socket, token: file } = homePaths(options)
  if (lookAt(path) === undefined) return undefined
  checkPrivateFolder(path)
  const token = readPrivateFile(file)?.trim()
  if (token === undefined) return undefined
  // Nobody else's socket gets the token.
  if (lookAt(runFolder) !== undefined) checkPrivateFolder(runFolder)
  return { path, socket, token }
}
