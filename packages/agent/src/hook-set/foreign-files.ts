import { realpath } from 'node:fs/promises'
import type { ConfiguredDialect } from '../config/loaded-config.ts'
import { readSettled } from '../config/read-file.ts'
import type { Dialect, HookFile, Source } from '../dialects/dialect.ts'
import { type Finding, losesFile } from '../dialects/finding.ts'
import { isInside } from '../trust/is-inside.ts'
import { isOfProject } from './trusted-sources.ts'

/** What files of other products said that run now, by where they are named. */
export type ForeignTexts = ReadonlyMap<string, string>

export interface ForeignPlace {
  readonly root: string
  /** In place of a file that is wrong or has gone stands what it said there. */
  readonly foreignTexts: ForeignTexts
}

/** A hook file of another product as it is used. */
export interface ForeignFile {
  readonly read: HookFile
  /** What it says; absent where nothing of it can be used. */
  readonly text: string | undefined
  /** It is wrong or has gone, and this is what it said before. */
  readonly isKept: boolean
}

export async function readForeignFile(
  dialect: Dialect,
  configured: ConfiguredDialect,
  { root, foreignTexts }: ForeignPlace,
): Promise<ForeignFile> {
  const { file, layer } = configured
  const source = { file, layer }
  const text = await textOf(configured, root)
  const read = readOne(dialect, text, source)
  const lost = read.findings.filter(losesFile)
  if (lost.length === 0) return { read, text, isKept: false }
  const before = foreignTexts.get(keyOf(configured))
  if (before === undefined) return { read, text: undefined, isKept: false }
  const { hooks, settings } = readOne(dialect, before, source)
  const findings = lost.map(stayingAsBefore)
  return {
    read: { source, hooks, settings, findings },
    text: before,
    isKept: true,
  }
}

/** A file that another layer names may do other things. */
export function keyOf({ dialect, file, layer }: ConfiguredDialect): string {
  return JSON.stringify([dialect, file, layer])
}

/** A reader that breaks costs its file, and no other. */
function readOne(
  dialect: Dialect,
  text: string | undefined,
  source: Source,
): HookFile {
  const none = { source, hooks: [], settings: {} }
  const unread = { ...none, findings: [notRead(dialect, source)] }
  if (text === undefined) return unread
  try {
    return dialect.readFile(text, source)
  } catch {
    return unread
  }
}

/** What a project names has to be its own, also behind links. */
async function textOf(
  { file, layer }: ConfiguredDialect,
  root: string,
): Promise<string | undefined> {
  if (isOfProject(layer) && !(await leadsInto(file, root))) return undefined
  const wait = async () => {}
  const read = await readSettled(file, { settleMs: 0, wait })
  return read.type === 'bytes' ? read.bytes.toString('utf8') : undefined
}

async function leadsInto(file: string, root: string): Promise<boolean> {
  try {
    return isInside(await realpath(file), await realpath(root))
  } catch {
    return false
  }
}

function notRead({ name }: Dialect, { file }: Source): Finding {
  return {
    severity: 'error',
    code: 'unreadable-file',
    file,
    place: { line: 1, column: 1 },
    message: `The hook file of ${name} cannot be read.`,
  }
}

function stayingAsBefore(finding: Finding): Finding {
  const message = `${finding.message} What the file said before stays in force.`
  return { ...finding, message }
}
