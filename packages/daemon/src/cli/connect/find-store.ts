import { resolve } from 'node:path'
import type { Store, StoreOptions } from '@hookline/agent/durable'
import { CliError } from '../cli-error.ts'
import type { CommandContext } from '../command-context.ts'
import { plainLine } from '../output/plain-text.ts'

/** The store that a daemon of this home would use. */
export interface FoundStore {
  /** Of SQLite; absent: it is a Postgres. */
  readonly file: string | undefined
  /** For people. */
  readonly place: string
  readonly options: () => Promise<StoreOptions>
  readonly open: () => Promise<Store>
}

export async function findStore({
  options,
  env,
  output,
}: CommandContext): Promise<FoundStore> {
  const reload = await import('../../reload/load-settings.ts')
  const kept = await import('../../reload/kept-settings.ts')
  const given = options.text('home')
  const places = await reload.findPlaces({
    root: resolve(options.text('root') ?? '.'),
    ...(given !== undefined && { home: given }),
    env,
  })
  const { config, settings: said } = await reload.loadFrom(places)
  const { home } = places
  const chosen = await kept.chooseSettings(said, { config, home })
  if (chosen.note !== undefined && !chosen.isKept) {
    throw new CliError('failed', chosen.note, {
      hint: 'Mend the file first; "hookline config check" says what is wrong with it.',
    })
  }
  if (chosen.note !== undefined) output.note(plainLine(chosen.note))
  const { settings } = chosen
  const { file, urlEnv } = settings.store
  const storeOptions = async () => {
    const opening = await import('../../reload/store-options.ts')
    return (await opening.storeOptions(settings, env)).options
  }
  return {
    file: urlEnv === undefined ? file : undefined,
    place: kept.placeOf(settings.store),
    options: storeOptions,
    async open() {
      const { openStore } = await import('@hookline/agent/durable')
      return await openStore(await storeOptions())
    },
  }
}
