import { freezeDeep } from 'hookline'
import { errorText } from '../data/error-text.ts'
import { type EntryDefinition, isUse } from '../handlers/definition.ts'
import {
  checkBuiltins,
  checkDialects,
  checkNames,
  checkPrograms,
} from './check-file.ts'
import { codeHash } from './code-hash.ts'
import type { ConfigCandidate } from './config-source.ts'
import type { FileHook, FileResult } from './file-content.ts'
import type { SectionValues } from './file-sections.ts'
import type { HookEntry } from './hooks-section.ts'
import { isProjectScope } from './layer.ts'
import { readCode } from './load-code.ts'
import type { Loader } from './loader.ts'
import { meaningOf, nameWithoutOne } from './meaning.ts'
import { type ConfigNode, entryOf, startOfFile } from './node.ts'
import type { Found } from './problem.ts'
import { nodeOfData, onePlace } from './read/data-node.ts'
import { readText } from './read/read-text.ts'
import { type ReadFile, readSettled } from './read-file.ts'
import { readSections, type SectionReading } from './read-sections.ts'
import { Report } from './report.ts'
import { checkScope } from './scope-rules.ts'
import type { ConfigSection, SectionValue } from './section.ts'

/**
 * Reads and checks one file, or one value of the command line. What is known
 * of it stays as long as its bytes do.
 */
export async function loadFile(
  candidate: ConfigCandidate,
  loader: Loader,
  known?: FileResult,
): Promise<FileResult> {
  const { file, layer } = candidate
  const report = new Report(file, layer)
  const read = await readCandidate(candidate, loader)
  if (read.type === 'missing') {
    // What somebody names has to be there.
    if (layer === 'command-line') report.add(notThere)
    if (report.hasErrors) {
      return { type: 'refused', candidate, problems: report.problems() }
    }
    return { type: 'missing', candidate, problems: [] }
  }
  if (read.type === 'problem') {
    report.add({ ...read, at: startOfFile, path: [] })
    return { type: 'refused', candidate, problems: report.problems() }
  }
  const hash = hashOf(candidate, read)
  if (hash === undefined) {
    report.add(tooMuch)
    return { type: 'refused', candidate, problems: report.problems() }
  }
  const isTrusted =
    !isProjectScope(layer) || (await loader.isTrusted({ file, layer, hash }))
  if (known?.hash === hash && known.isTrusted === isTrusted) return known
  const common = { candidate, hash, isTrusted }
  if (candidate.format === 'code' && !isTrusted) {
    const message = `It is code that comes with the project and has not been trusted, so that it was not run; trust ${hash} if you know it. What it imports from packages is not covered.`
    const severity = 'warning'
    const code = 'needs-trust'
    report.add({ code, severity, at: startOfFile, path: [], message })
    return { type: 'needs-trust', ...common, problems: report.problems() }
  }
  if (candidate.format === 'code' && !loader.runsCode) {
    report.add(notRun)
    return { type: 'refused', candidate, problems: report.problems() }
  }
  const node = await nodeOf(candidate, { ...read, hash }, { report, loader })
  if (candidate.format === 'code' && (await hasChanged(candidate, hash))) {
    report.add(changed)
    loader.codeRuns.forget(file)
    // Without its hash, it is not known when it is as it was.
    return { type: 'refused', candidate, problems: report.problems() }
  }
  const reading = { report, hash, isTrusted }
  const content =
    node && (await contentOf(node, candidate, { reading, loader }))
  if (content && isTrusted)
    await checkPrograms(content.hooks, candidate, report)
  const problems = report.problems()
  if (content === undefined || report.hasErrors) {
    return { type: 'refused', ...common, problems }
  }
  return { type: 'loaded', ...common, ...content, problems }
}

type ReadBytes = Extract<ReadFile, { type: 'bytes' }>

function hashOf({ file, format }: ConfigCandidate, { hash }: ReadBytes) {
  return format === 'code' ? codeHash(file, hash) : hash
}

/** Node reads the file by itself: it may have run other bytes than we saw. */
async function hasChanged(
  candidate: ConfigCandidate,
  hash: string,
): Promise<boolean> {
  const quick = { settleMs: 0, wait: async () => {} }
  const now = await readSettled(candidate.file, quick)
  return now.type !== 'bytes' || hashOf(candidate, now) !== hash
}

const tooMuch: Found = {
  code: 'too-large',
  at: startOfFile,
  path: [],
  message:
    'It names more files than can be looked at, or imports one that cannot be read; name fewer.',
}

const changed: Found = {
  code: 'unsettled',
  at: startOfFile,
  path: [],
  message:
    'It was changed while it was run; it is run again when it is asked for.',
}

const notRun: Found = {
  code: 'code-failed',
  at: startOfFile,
  path: [],
  message: 'It is code, and no code is run now; nothing of it is used.',
}

const notThere: Found = {
  code: 'unreadable',
  at: startOfFile,
  path: [],
  message: 'It is not there; name another file.',
}

function readCandidate(
  { file, format, value }: ConfigCandidate,
  loader: Loader,
): ReadFile | Promise<ReadFile> {
  if (format !== 'value') return readSettled(file, loader)
  const text = typeof value === 'string' ? value : ''
  const bytes = Buffer.from(text)
  return { type: 'bytes', bytes, hash: loader.hashOfValue(value) }
}

async function nodeOf(
  { file, format, value }: ConfigCandidate,
  { bytes, hash }: ReadBytes,
  { report, loader }: { readonly report: Report; readonly loader: Loader },
): Promise<ConfigNode | undefined> {
  if (format === 'code') {
    return readCode({ file, hash }, loader.codeRuns, report)
  }
  if (format !== 'value') return readText(bytes, format, report)
  // Text is YAML, and so JSON as well.
  if (typeof value === 'string') return readText(bytes, 'yaml', report)
  return nodeOfData(value, onePlace(startOfFile), report)
}

async function contentOf(
  node: ConfigNode,
  candidate: ConfigCandidate,
  {
    reading,
    loader,
  }: { readonly reading: SectionReading; readonly loader: Loader },
) {
  const { report } = reading
  const sections = await sectionsFor(node, loader, report)
  if (sections === undefined) return undefined
  checkScope(node, report, loader.rights)
  const values = readSections(node, sections, reading)
  const entries = sectionOf(values, 'hooks') ?? []
  const env = sectionOf(values, 'env') ?? []
  const setEnv = sectionOf(values, 'setEnv') ?? {}
  const written = entries.map((entry) => {
    return fileHook(entry, { env, setEnv }, candidate)
  })
  checkNames(written, report)
  const hooks = await checkBuiltins(written, loader, report)
  const dialects = sectionOf(values, 'dialects') ?? []
  checkDialects(dialects, candidate, { report, root: loader.places.root })
  return {
    hooks,
    dialects,
    disable: sectionOf(values, 'disable') ?? [],
    sections: values.filter(({ name }) => loader.isFurther(name)),
  }
}

/** Whoever registers hooks may be wrong: then nothing of the file is used. */
async function sectionsFor(
  node: ConfigNode,
  loader: Loader,
  report: Report,
): Promise<readonly ConfigSection[] | undefined> {
  try {
    return await loader.sectionsFor(node)
  } catch (error) {
    const message = `What it uses cannot be loaded: ${errorText(error)}`
    const at = entryOf(node, 'hooks')?.at ?? startOfFile
    report.add({ code: 'unknown-entry', at, path: ['hooks'], message })
    return undefined
  }
}

function sectionOf<K extends keyof SectionValues>(
  values: readonly SectionValue[],
  name: K,
): SectionValues[K] | undefined {
  const found = values.find((section) => section.name === name)
  // A section gives what its shape reads.
  return found?.value as SectionValues[K] | undefined
}

function fileHook(
  { definition: written, usesFolder, at, path }: HookEntry,
  shared: Pick<SectionValues, 'env' | 'setEnv'>,
  { folderName: folder }: ConfigCandidate,
): FileHook {
  const definition = freezeDeep(withShared(written, shared))
  const place = { folder, usesFolder }
  const name = definition.name ?? nameWithoutOne(definition, place)
  const meaning = meaningOf(definition, place)
  return { name, definition, usesFolder, meaning, ...at, path }
}

/** What the file says for all of its hooks; a hook's own word counts more. */
function withShared(
  definition: EntryDefinition,
  { env, setEnv }: Pick<SectionValues, 'env' | 'setEnv'>,
): EntryDefinition {
  if (isUse(definition)) return definition
  const { handler } = definition
  if (handler.type !== 'command' && handler.type !== 'http') return definition
  const names = [...new Set([...env, ...(handler.env ?? [])])]
  const granted = names.length > 0 ? { ...handler, env: names } : handler
  if (granted.type === 'http') return { ...definition, handler: granted }
  const values = { ...setEnv, ...granted.setEnv }
  const hasValues = Object.keys(values).length > 0
  const full = hasValues ? { ...granted, setEnv: values } : granted
  return { ...definition, handler: full }
}
