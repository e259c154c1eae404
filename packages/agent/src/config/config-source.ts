import { dirname, extname, isAbsolute, join, relative } from 'node:path'
import type { ConfigLayer } from './layer.ts'
import { type ConfigPlaces, configFolders } from './places.ts'
import type { TextFormat } from './read/read-text.ts'

/** Something that may hold configuration. */
export interface ConfigCandidate {
  /** A path, or what the command line is called in messages. */
  readonly file: string
  readonly layer: ConfigLayer
  readonly format: TextFormat | 'code' | 'value'
  /** Where its relative paths start. */
  readonly folder: string
  /** The same wherever the project or the home is: for names. */
  readonly folderName: string
  /** What was handed in, where it is no file. */
  readonly value?: unknown
}

export function candidateOf(
  file: string,
  layer: ConfigLayer,
  places: ConfigPlaces,
): ConfigCandidate {
  const folder = dirname(file)
  const folderName = nameOfFolder(folder, places)
  return { file, layer, format: formatOf(file), folder, folderName }
}

const formats: Readonly<Record<string, ConfigCandidate['format']>> = {
  '.json': 'json',
  '.jsonc': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.toml': 'toml',
  '.ts': 'code',
  '.js': 'code',
  '.mts': 'code',
  '.mjs': 'code',
}

/** A file of the command line can have any name; YAML takes JSON, too. */
function formatOf(file: string): ConfigCandidate['format'] {
  return formats[extname(file)] ?? 'yaml'
}

/** Values that the command line hands in. */
export function candidatesOfValues(
  values: readonly unknown[],
  {
    folder,
    places,
  }: { readonly folder: string; readonly places: ConfigPlaces },
): readonly ConfigCandidate[] {
  return values.map((value, index) => ({
    file: `<command line ${index + 1}>`,
    layer: 'command-line',
    format: 'value',
    folder,
    folderName: nameOfFolder(folder, places),
    value,
  }))
}

function nameOfFolder(folder: string, places: ConfigPlaces): string {
  for (const { layer, folder: base } of configFolders(places).toReversed()) {
    const path = relative(base, folder)
    if (isInside(path)) return `${layer}/${path}`
  }
  return folder
}

function isInside(path: string): boolean {
  return !isAbsolute(path) && path.split(/[\\/]/)[0] !== '..'
}

/** Whether a path leads to something below a folder. */
export function isWithin(folder: string, path: string): boolean {
  return isInside(relative(folder, join(path)))
}
