import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { ProtocolError } from '../protocol/errors.ts'

/** Where a session works: the project's folder, or a folder in it. */
export async function cwdWithin(
  root: string,
  cwd: string | undefined,
): Promise<string> {
  const home = await realpath(root)
  if (cwd === undefined) return home
  let folder: string
  try {
    // Where it really is: a link must not lead out of the project.
    folder = await realpath(resolve(home, cwd))
  } catch {
    throw new ProtocolError(
      'bad-request',
      `There is no folder "${cwd}"; name one that is there.`,
    )
  }
  const way = relative(home, folder)
  const isWithin = way !== '..' && !way.startsWith(`..${sep}`)
  if (isWithin && !isAbsolute(way)) return folder
  const message = `The folder "${cwd}" is not in "${root}", where sessions of this daemon work.`
  throw new ProtocolError('not-allowed', message)
}
