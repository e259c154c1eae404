import {
  type DialectName,
  type Finding,
  loadDialect,
} from '@hookline/agent/config'
import { CliError } from '../../cli-error.ts'
import { type ForeignFile, lintForeign } from '../hooks/lint-file.ts'

/** A hook file of another product, as far as it can be run here. */
export interface ReadImport {
  readonly dialect: DialectName
  readonly file: string
  readonly hooks: readonly ImportedHook[]
  /** What will not do what its author thinks. */
  readonly findings: readonly Finding[]
}

interface ImportedHook {
  readonly id: string
  readonly event: string
  /** None: it never happens here. */
  readonly points: readonly string[]
  readonly matcher?: string
}

export async function readImport(
  text: string,
  foreign: ForeignFile,
): Promise<ReadImport> {
  const { dialect: name, file } = foreign
  const dialect = await loadDialect(name)
  const read = dialect.readFile(text, { file, layer: 'project' })
  const findings = await lintForeign(text, foreign)
  if (read.hooks.length === 0) {
    const [first] = findings
    const why = first === undefined ? '' : ` ${first.message}`
    const message = `There is no hook of ${name} in "${file}".${why}`
    throw new CliError('failed', message, {
      hint: `See what is wrong with it: hookline hooks lint ${file} --dialect ${name}`,
    })
  }
  const hooks = read.hooks.map(({ id, event, points, matcher }) => ({
    id,
    event,
    points,
    ...(matcher !== undefined && { matcher }),
  }))
  return { dialect: name, file, hooks, findings }
}
