import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { ConfigLayer } from './layer.ts'

/** Where files are looked for. Every path can be given. */
export interface ConfigPlaces {
  /** The folder of the project; without it there is neither it nor local. */
  readonly root?: string
  /** Default: `/etc/hookline`, on Windows `%ProgramData%\hookline`. */
  readonly managed?: string
  /** Default: `$XDG_CONFIG_HOME/hookline`, that is `~/.config/hookline`. */
  readonly user?: string
  /** Files that the command line names. */
  readonly files?: readonly string[]
}

/** A folder, and the names that count in it, in their order. */
export interface ConfigFolder {
  readonly layer: ConfigLayer
  readonly folder: string
  readonly names: readonly string[]
}

const textEndings = ['json', 'yaml', 'yml', 'toml']
const endings = [...textEndings, 'ts', 'js']

const configNames = endings.map((ending) => `hookline.config.${ending}`)
const hookNames = textEndings.map((ending) => `hooks.${ending}`)
const localNames = endings.map((ending) => `local.${ending}`)

/** All folders that are looked into, in the order of the layers. */
export function configFolders(places: ConfigPlaces): readonly ConfigFolder[] {
  const names = [...configNames, ...hookNames]
  const managed = resolve(places.managed ?? managedFolder())
  const user = resolve(places.user ?? userFolder())
  const system: ConfigFolder[] = [
    { layer: 'managed', folder: managed, names },
    { layer: 'user', folder: user, names },
  ]
  if (places.root === undefined) return system
  const root = resolve(places.root)
  const inner = join(root, '.hookline')
  return [
    ...system,
    { layer: 'project', folder: root, names: configNames },
    { layer: 'project', folder: inner, names },
    { layer: 'local', folder: inner, names: localNames },
  ]
}

function managedFolder(): string {
  if (process.platform !== 'win32') return '/etc/hookline'
  return join(process.env['ProgramData'] ?? 'C:\\ProgramData', 'hookline')
}

function userFolder(): string {
  // A relative one does not count: the folder worked in could hold it.
  const set = process.env['XDG_CONFIG_HOME'] ?? ''
  const base = isAbsolute(set) ? set : join(homedir(), '.config')
  return join(base, 'hookline')
}
