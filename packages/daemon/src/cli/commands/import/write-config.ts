import { isAbsolute, relative, sep } from 'node:path'
import { plainLine } from '../../output/plain-text.ts'
import type { ReadImport } from './read-import.ts'

export interface WriteOptions {
  /** Where the configuration will be. */
  readonly folder: string
  readonly isJson: boolean
  readonly isStrict: boolean
}

/** A configuration that runs a hook file of another product. */
export function writeConfig(
  read: ReadImport,
  { folder, isJson, isStrict }: WriteOptions,
): string {
  const { dialect } = read
  const file = pathFrom(folder, read.file)
  if (isJson) {
    const entry = { dialect, file, ...(isStrict && { strict: true }) }
    return `${JSON.stringify({ version: 1, dialects: [entry] }, null, 2)}\n`
  }
  const strict = isStrict
    ? '    strict: true'
    : `    # strict: true   # denies what ${dialect} would let pass by mistake`
  return `${[
    ...comments(read, file),
    'version: 1',
    'dialects:',
    `  - dialect: ${dialect}`,
    // Text in JSON is text in YAML.
    `    file: ${JSON.stringify(file)}`,
    strict,
  ].join('\n')}\n`
}

function comments(
  { dialect, hooks, findings }: ReadImport,
  file: string,
): readonly string[] {
  const byEvent = Map.groupBy(hooks, ({ event }) => event)
  const events = [...byEvent].map(([event, some]) => {
    const isIdle = some.every(({ points }) => points.length === 0)
    return `${event} (${some.length}${isIdle ? ', never happens here' : ''})`
  })
  const lines = [
    `Runs the hooks of ${file}, a file of ${dialect}, as they are written there.`,
    `It has: ${events.join(', ')}.`,
    ...(findings.length === 0 ? [] : ['What does not do what it seems to:']),
    ...findings.map(
      ({ place, severity, message }) =>
        `- line ${place.line}: ${severity}: ${message}`,
    ),
  ]
  return lines.map((line) => `# ${plainLine(line)}`)
}

/** From there if it is below, so that both can be moved together. */
function pathFrom(folder: string, file: string): string {
  const way = relative(folder, file)
  const isBelow = !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..'
  return isBelow ? way.replaceAll(sep, '/') : file
}
