import { resolve } from 'node:path'
import type { ToolContext } from 'hookline/lifecycle'
import { confineTo } from './confine.ts'
import { inTurn } from './file-turns.ts'
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
  // By its name first, which is known at once: so calls keep their order.
  const name = resolve(scope.cwd ?? '', path)
  return await inTurn(name, signal, async () => {
    const confinement = await confineTo(call.grant.roots, scope.cwd, hidden)
    const file = await openFile(confinement, path, options)
    try {
      const id = await identityOf(file)
      return await inTurn(id, signal, () => work(file))
    } finally {
      await file.handle.close()
    }
  })
}

/** What a file is whatever it is called: by a link, or in other letters. */
async function identityOf({ handle }: OpenFile): Promise<string> {
  const { dev, ino } = await handle.stat({ bigint: true })
  return `${dev}:${ino}`
}
