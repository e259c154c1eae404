import { resolve } from 'node:path'
import type { ToolContext } from 'hookline/lifecycle'
import { inTurn } from '../../paths/file-turns.ts'
import { confineTo } from './confine.ts'
import { type OpenFile, type OpenFileOptions, openFile } from './open-file.ts'

interface FilePlace {
  readonly path: string
  readonly context: ToolContext
  /** Real paths of folders that nobody gets to see. */
  readonly hidden: readonly string[]
}

/** Opens a file, does something to it while nobody else does, and closes it. */
export async function withFile<T>(
  { path, context, hidden }: FilePlace,
  options: OpenFileOptions,
  work: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const { call, scope, signal } = context
  const open = async () => {
    const confinement = await confineTo(call.grant.roots, scope.cwd, hidden)
    const file = await openFile(confinement, path, options)
    try {
      const id = await identityOf(file)
      return await inTurn(id, () => work(file), { signal })
    } finally {
      await file.handle.close()
    }
  }
  // By its name first, which is known at once: so calls keep their order.
  const name = resolve(scope.cwd ?? '', path)
  return await inTurn(name, open, { signal })
}

/** What a file is whatever it is called: by a link, or in other letters. */
async function identityOf({ handle }: OpenFile): Promise<string> {
  const { dev, ino } = await handle.stat({ bigint: true })
  return `${dev}:${ino}`
}
