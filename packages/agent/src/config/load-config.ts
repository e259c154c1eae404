import { dirname, join, resolve } from 'node:path'
import { type Accepted, acceptFiles } from './accept-files.ts'
import {
  type ConfigCandidate,
  candidateOf,
  candidatesOfValues,
} from './config-source.ts'
import type { FileResult, LoadedFile } from './file-content.ts'
import { layers } from './layer.ts'
import { loadFile } from './load-file.ts'
import type { LoadedConfig } from './loaded-config.ts'
import { createLoader, type Loader, type LoadOptions } from './loader.ts'
import { mergeFiles } from './merge-files.ts'
import { startOfFile } from './node.ts'
import { type ConfigFolder, configFolders } from './places.ts'
import type { ConfigProblem } from './problem.ts'
import { namesIn } from './read-file.ts'
import { Report } from './report.ts'
import type { FailureRules } from './resolve-names.ts'

/**
 * Reads the configuration of all layers. Never throws: what is wrong is in
 * `problems`, and of a file that is wrong nothing is used.
 */
export async function loadConfig(
  options: LoadOptions = {},
): Promise<LoadedConfig> {
  const { config } = await loadOnto(createLoader(options), options, {})
  return config
}

/** What is known of files from before, by file. */
export interface Memory {
  /** What they were found to be last. */
  readonly results?: ReadonlyMap<string, FileResult>
  /** What they said when they were last right. */
  readonly lastGood?: ReadonlyMap<string, LoadedFile>
  readonly forgetsMissing?: boolean
}

/** The same, where files have been read before. */
export async function loadOnto(
  loader: Loader,
  options: LoadOptions,
  { results: known, lastGood = new Map(), forgetsMissing = false }: Memory,
): Promise<{ readonly config: LoadedConfig; readonly memory: Memory }> {
  const { candidates, problems } = await findCandidates(options, lastGood)
  const results = await Promise.all(
    candidates.map((candidate) => {
      return loadFile(candidate, loader, known?.get(candidate.file))
    }),
  )
  const { maxHooks } = loader
  const limits = { maxHooks, lastGood, forgetsMissing }
  const accepted = acceptFiles(inOrder(results), limits)
  return {
    config: configOf(accepted, { problems, failures: loader.failureOf }),
    memory: { results: byFile(results), lastGood: byFile(accepted.files) },
  }
}

function byFile<T extends FileResult>(files: readonly T[]) {
  return new Map(files.map((file) => [file.candidate.file, file]))
}

/** All files that are there, and those that have been. */
async function findCandidates(
  options: LoadOptions,
  lastGood: NonNullable<Memory['lastGood']>,
) {
  const problems: ConfigProblem[] = []
  const found = new Map<string, ConfigCandidate>()
  const add = (candidate: ConfigCandidate) => {
    // A folder can be two places; the first one says whose it is.
    if (!found.has(candidate.file)) found.set(candidate.file, candidate)
  }
  for (const folder of configFolders(options)) {
    const names = await namesIn(folder.folder)
    if ('type' in names) problems.push(...folderProblem(folder, names))
    else {
      for (const name of folder.names.filter((one) => names.has(one))) {
        add(candidateOf(join(folder.folder, name), folder.layer, options))
      }
    }
  }
  for (const file of options.files ?? []) {
    add(candidateOf(resolve(file), 'command-line', options))
  }
  const folder = resolve(options.folder ?? '.')
  for (const candidate of candidatesOfValues(options.values ?? [], {
    folder,
    places: options,
  })) {
    add(candidate)
  }
  for (const { candidate } of lastGood.values()) add(candidate)
  return { candidates: [...found.values()], problems }
}

function folderProblem(
  { folder, layer }: ConfigFolder,
  names: Exclude<Awaited<ReturnType<typeof namesIn>>, ReadonlySet<string>>,
): readonly ConfigProblem[] {
  if (names.type === 'missing') return []
  const report = new Report(folder, layer)
  report.add({ ...names, at: startOfFile, path: [] })
  return report.problems()
}

function inOrder(results: readonly FileResult[]): readonly FileResult[] {
  const rank = ({ candidate }: FileResult) => layers.indexOf(candidate.layer)
  return results.toSorted((one, other) => rank(one) - rank(other))
}

interface ConfigParts {
  readonly problems: readonly ConfigProblem[]
  readonly failures: FailureRules
}

function configOf(
  { files, problems, sources }: Accepted,
  { problems: found, failures }: ConfigParts,
): LoadedConfig {
  const merged = mergeFiles(files, failures)
  const early = [...found, ...problems]
  // A managed file that was right before stays in force.
  const kept = sources.filter(({ state }) => state === 'kept')
  const isKept = (file: string) =>
    kept.some((source) => source.file === file || dirname(source.file) === file)
  const fatal = early.find(
    ({ layer, severity, file }) =>
      layer === 'managed' && severity === 'error' && !isKept(file),
  )
  return Object.freeze({
    hooks: merged.hooks,
    dialects: merged.dialects,
    disabled: merged.disabled,
    sections: files.flatMap(({ sections }) => sections),
    problems: [...early, ...merged.problems],
    sources,
    ...(fatal && { fatal }),
  })
}
