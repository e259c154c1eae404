import { resolve } from 'node:path'
import type { CommandContext } from '../../command-context.ts'

/** What the files of a project and its user come to, without a daemon. */
export async function loadHere({ options, env }: CommandContext) {
  const { loadSettings } = await import('../../../reload/load-settings.ts')
  const home = options.text('home')
  return await loadSettings({
    root: resolve(options.text('root') ?? '.'),
    ...(home !== undefined && { home }),
    env,
  })
}

export type LoadedHere = Awaited<ReturnType<typeof loadHere>>
