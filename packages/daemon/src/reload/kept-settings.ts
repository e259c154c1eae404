import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadedConfig } from '@hookline/agent/config'
import { trustedLayers } from './sections/trusted-layers.ts'
import type { Settings, StoreSettings } from './settings.ts'

/** What is needed of settings when the files that say them cannot be read. */
interface KeptSettings {
  readonly version: 1
  readonly store: StoreSettings
  readonly twoPersonRule: boolean
  readonly approvers: number
}

export interface ChosenSettings {
  readonly settings: Settings
  /** What is uncertain about the store, as a sentence. */
  readonly note?: string
  /** Whether the store is the one that was used last. */
  readonly isKept?: boolean
}

const fileIn = (home: string) => join(home, 'last-settings.json')

/** Writes down what a daemon runs with: names of files and variables, no secret. */
export async function keepSettings(
  home: string,
  { store, daemon: { twoPersonRule, approvers } }: Settings,
): Promise<void> {
  const kept: KeptSettings = { version: 1, store, twoPersonRule, approvers }
  const text = `${JSON.stringify(kept)}\n`
  const file = fileIn(home)
  if (text === (await readFile(file, 'utf8').catch(() => ''))) return
  const part = `${file}.${process.pid}.part`
  await writeFile(part, text, { mode: 0o600 })
  await rename(part, file)
}

/**
 * Where a file that may name the store cannot be read, the store is the one
 * that was used last: never another one without a word.
 */
export async function chooseSettings(
  settings: Settings,
  { config, home }: { readonly config: LoadedConfig; readonly home: string },
): Promise<ChosenSettings> {
  const unread = config.sources.find(
    ({ state, layer }) => state === 'refused' && trustedLayers.includes(layer),
  )
  if (unread === undefined) return { settings }
  const kept = await readKept(home)
  if (kept === undefined) {
    const note = `"${unread.file}" cannot be used, and no daemon of this home has written down its store: ${placeOf(settings.store)} is used, which may be another one than configured.`
    return { settings, note }
  }
  const { store, twoPersonRule, approvers } = kept
  const daemon = { ...settings.daemon, twoPersonRule, approvers }
  return {
    settings: { ...settings, store, daemon },
    isKept: true,
    note: `"${unread.file}" cannot be used, so that the store is the one that was used last: ${placeOf(store)}.`,
  }
}

export function placeOf({ file, urlEnv, schema }: StoreSettings): string {
  if (urlEnv === undefined) return `SQLite at "${file}"`
  const where = schema === undefined ? '' : `, schema "${schema}"`
  return `the Postgres of ${urlEnv}${where}`
}

async function readKept(home: string): Promise<KeptSettings | undefined> {
  try {
    // Only `keepSettings` writes there; the home is ours alone.
    const kept = JSON.parse(await readFile(fileIn(home), 'utf8')) as Partial<
      Pick<KeptSettings, 'version' | 'store'>
    >
    const { file, urlEnv } = kept.store ?? {}
    const isKnown = kept.version === 1 && (file ?? urlEnv) !== undefined
    return isKnown ? (kept as KeptSettings) : undefined
  } catch {
    return undefined
  }
}
