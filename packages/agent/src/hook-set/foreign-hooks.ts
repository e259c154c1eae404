import { resolve } from 'node:path'
import type { Hook } from 'hookline'
import type { JsonValue } from 'hookline/lifecycle'
import type { ConfiguredDialect } from '../config/loaded-config.ts'
import type {
  Dialect,
  DialectName,
  DialectParts,
  ForeignHook,
  HookFile,
} from '../dialects/dialect.ts'
import { type Finding, losesFile } from '../dialects/finding.ts'
import { loadDialect } from '../dialects/load-dialect.ts'
import type { Trust } from '../trust/trust.ts'
import type { TrustSource } from '../trust/trust-source.ts'
import {
  type ForeignPlace,
  type ForeignTexts,
  keyOf,
  readForeignFile,
} from './foreign-files.ts'
import { isOfProject, type TrustedSources } from './trusted-sources.ts'
import { isManagedQuestion } from './within-layer.ts'

/** What hook files of other products are read and run with. */
export interface DialectHost extends ForeignPlace {
  readonly trust: Trust
  /** Runner, sender and the like, the same for all files. */
  readonly dialectParts: Omit<
    DialectParts,
    'isStrict' | 'prefix' | 'checkTrust' | 'mayAnswer'
  >
}

/** The hook files of one product, read together. */
export interface ReadDialect {
  /** The names of its hooks begin with it. */
  readonly prefix: string
  /** One of its files is managed. */
  readonly isManaged: boolean
  readonly findings: readonly Finding[]
  /** Of managed files of which nothing can be used: their gates would be missed. */
  readonly missing: readonly Finding[]
  /** Those that are wrong or have gone, and count as they were before. */
  readonly keptFiles: readonly string[]
  /** What is to stay in force of them, once this is what runs. */
  readonly texts: ForeignTexts
  /** What has to be trusted, by the hook that it is about. */
  readonly sources: ReadonlyMap<ForeignHook, TrustSource>
  /** `managed`: the names of managed hooks, which are all known later on. */
  toHooks(
    trusted: TrustedSources,
    managed: ReadonlySet<string>,
  ): Promise<readonly Hook[]>
}

export async function readDialects(
  configured: readonly ConfiguredDialect[],
  host: DialectHost,
): Promise<readonly ReadDialect[]> {
  const byName = Map.groupBy(configured, ({ dialect }) => dialect)
  return await Promise.all(
    [...byName].map(([name, files]) => readDialect(name, files, host)),
  )
}

async function readDialect(
  name: DialectName,
  configured: readonly ConfiguredDialect[],
  host: DialectHost,
): Promise<ReadDialect> {
  const dialect = await loadDialect(name)
  const files = await Promise.all(
    configured.map((one) => readForeignFile(dialect, one, host)),
  )
  const { hooks, findings } = combine(
    dialect,
    files.map(({ read }) => read),
  )
  const managedFiles = new Set(
    configured.flatMap(({ file, layer }) =>
      layer === 'managed' ? [file] : [],
    ),
  )
  const sources = new Map(
    hooks
      .filter(({ source }) => isOfProject(source.layer))
      .map((hook) => [hook, sourceOfForeign(hook, host)] as const),
  )
  return {
    prefix: `${name}:`,
    isManaged: managedFiles.size > 0,
    findings,
    missing: findings.filter(
      (finding) => losesFile(finding) && managedFiles.has(finding.file),
    ),
    keptFiles: files.flatMap(({ read, isKept }) =>
      isKept ? [read.source.file] : [],
    ),
    texts: new Map(
      files.flatMap(({ text }, index) => {
        const one = configured[index]
        return one && text !== undefined ? [[keyOf(one), text] as const] : []
      }),
    ),
    sources,
    async toHooks(trusted, managed) {
      const running = hooks.filter((hook) => {
        const source = sources.get(hook)
        return source === undefined || trusted.standingOf(source) !== 'inert'
      })
      const checkTrust = trustCheck(sources, host)
      // What one of its files is strict about holds for what they come to; a
      // project of which nothing runs has no say in that.
      const isProjects = running.some((hook) => sources.has(hook))
      const isStrict = configured.some(
        (one) => one.isStrict && (isProjects || !isOfProject(one.layer)),
      )
      const mayAnswer: DialectParts['mayAnswer'] = ({ source }, questions) =>
        source.layer === 'managed' || !isManagedQuestion(questions, managed)
      const own = { isStrict, checkTrust, mayAnswer }
      const parts = { ...host.dialectParts, ...own }
      return await dialect.toHooks(running, parts)
    },
  }
}

/**
 * As the product puts its files together, where it does that in its own way;
 * but what managed files come to is not for anybody else to change, nor what
 * the user's own come to for a project.
 */
function combine(dialect: Dialect, files: readonly HookFile[]) {
  const isManaged = ({ source }: Pick<HookFile, 'source'>) =>
    source.layer === 'managed'
  const isProjects = ({ source }: Pick<HookFile, 'source'>) =>
    isOfProject(source.layer)
  const managed = combineAll(dialect, files.filter(isManaged))
  const users = combineAll(
    dialect,
    files.filter((file) => !isProjects(file)),
  )
  const all = combineAll(dialect, files)
  const hooks = [
    ...managed.hooks,
    ...users.hooks.filter((hook) => !isManaged(hook)),
    ...all.hooks.filter(isProjects),
  ]
  return { hooks, findings: all.findings.filter(isSoWith(hooks)) }
}

/** Of a hook that runs all the same nothing says that it never does. */
function isSoWith(hooks: readonly ForeignHook[]) {
  const places = new Set(hooks.map(({ place }) => place))
  return ({ code, place }: Finding) =>
    code !== 'url-not-allowed' || !places.has(place)
}

function combineAll(dialect: Dialect, files: readonly HookFile[]) {
  const rules = { isStrict: true }
  if (dialect.combine !== undefined) return dialect.combine(files, rules)
  return {
    hooks: files.flatMap(({ hooks }) => hooks),
    findings: files.flatMap(({ findings }) => findings),
  }
}

function trustCheck(
  sources: ReadonlyMap<ForeignHook, TrustSource>,
  { trust, root }: DialectHost,
): NonNullable<DialectParts['checkTrust']> {
  return (hook, cwd) => {
    const source = sources.get(hook)
    if (source === undefined) return undefined
    const place = cwd === '' ? {} : { cwd }
    const { state, hash, problem } = trust.check(root, source, place)
    if (state === 'trusted') return undefined
    const why = problem === undefined ? '' : ` ${problem}`
    return `"${hook.id}" has changed since it was trusted, so that it did not run; look at it, and trust ${hash}.${why}`
  }
}

function sourceOfForeign(
  hook: ForeignHook,
  { root, dialectParts }: DialectHost,
): TrustSource {
  const { projectDir, cwdRule } = dialectParts
  const { id, dialect, event, matcher, handler, timeoutMs, flags } = hook
  const about = { dialect, event, matcher, handler, timeoutMs, flags }
  // What comes from a file is JSON; what is not there is left out.
  const content: JsonValue = JSON.parse(JSON.stringify(about))
  const common = { name: id, content, folder: root }
  if (handler.type !== 'command') return common
  const { command, args, env } = handler
  const variables = { ...projectVariables(projectDir), ...env }
  const base = cwdRule === 'session' ? undefined : projectDir
  const cwd =
    handler.cwd === undefined ? base : resolve(projectDir, handler.cwd)
  return {
    ...common,
    variables,
    ...(cwd !== undefined && { cwd }),
    ...(args === undefined ? { shell: command } : { argv: [command, ...args] }),
  }
}

/** Products call the project so in scripts. */
function projectVariables(projectDir: string): Record<string, string> {
  const names = ['CLAUDE', 'GEMINI', 'COPILOT', 'CURSOR']
  return Object.fromEntries(
    names.map((name) => [`${name}_PROJECT_DIR`, projectDir]),
  )
}
