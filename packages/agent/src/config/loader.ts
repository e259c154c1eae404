import type { Point } from 'hookline'
import { points as lifecyclePoints } from 'hookline/lifecycle'
import type {
  Builtins,
  BuiltinUse,
} from '../handlers/builtin/create-builtins.ts'
import { type HookDefinition, isUse } from '../handlers/definition.ts'
import { sha256 } from '../seal/sha256.ts'
import { type Catalogue, openCatalogue } from './catalogue.ts'
import { isObserver } from './check-at-point.ts'
import { fileSections } from './file-sections.ts'
import type { Vocabulary } from './hook-shape.ts'
import type { ConfigLayer } from './layer.ts'
import { loadLinearRegex } from './linear-regex.ts'
import { type CodeRuns, createCodeRuns } from './load-code.ts'
import { type ConfigNode, entryOf } from './node.ts'
import type { ConfigPlaces } from './places.ts'
import { pointRules } from './point-rules.ts'
import type { SettleOptions } from './read-file.ts'
import type { FailureRules } from './resolve-names.ts'
import type { ConfigSection } from './section.ts'
import { looksLikeUse } from './use-shape.ts'

/** A file of a project that wants more than a stranger may have. */
export interface TrustQuestion {
  readonly file: string
  readonly layer: ConfigLayer
  /** SHA-256 of its bytes. */
  readonly hash: string
}

export interface LoadOptions extends ConfigPlaces {
  /** What the command line says: objects, or text in YAML or JSON. */
  readonly values?: readonly unknown[]
  /** Where relative paths of those start; default: the process's folder. */
  readonly folder?: string
  /** Default: those of the lifecycle. */
  readonly points?: Readonly<Record<string, Point>>
  /** What `builtin` handlers may name, or just the names; absent: anything. */
  readonly builtins?: Builtins | readonly string[]
  /** What `use` may name; absent: anything. */
  readonly catalogue?: Catalogue
  readonly sections?: readonly ConfigSection[]
  /** Whether somebody trusts these very bytes; default: nobody does. */
  readonly isTrusted?: (question: TrustQuestion) => boolean | Promise<boolean>
  /** Without it files of code are refused; default true. */
  readonly runsCode?: boolean
  /** What others have run of the same files is not run again. */
  readonly codeRuns?: CodeRuns
  readonly maxHooks?: number
  /** A file changed so shortly before is read again; default 50 ms. */
  readonly settleMs?: number
}

/** What reading a file needs, made once. */
export interface Loader extends SettleOptions {
  readonly places: ConfigPlaces
  readonly maxHooks: number
  readonly runsCode: boolean
  readonly codeRuns: CodeRuns
  /** Capabilities that let a hook decide for the user. */
  readonly rights: ReadonlySet<string>
  isTrusted(question: TrustQuestion): Promise<boolean>
  sectionsFor(node: ConfigNode): Promise<readonly ConfigSection[]>
  isFurther(section: string): boolean
  /** What happens when a hook fails that does not say so itself. */
  readonly failureOf: FailureRules
  readonly isObserver: (definition: HookDefinition) => boolean
  findBuiltinProblem(use: BuiltinUse): Promise<string | undefined>
  hashOfValue(value: unknown): string
}

const defaultMaxHooks = 10_000

export function createLoader(options: LoadOptions): Loader {
  const { points = lifecyclePoints, sections = [] } = options
  const { names: builtins, findProblem } = readBuiltins(options.builtins)
  const byName = new Map(
    Object.values(points).map((point) => [point.name, point]),
  )
  const rights = Object.values(points).flatMap((point) => [
    ...point.rights.values(),
  ])
  const entriesOf =
    options.catalogue === undefined
      ? undefined
      : openCatalogue(options.catalogue)
  // Most files have no expression, and use nothing: then neither the engine
  // nor the catalogue is loaded.
  const sectionsWith = async ({ regex, entries }: Needed) => {
    const compileRegex = regex ? await loadLinearRegex() : noEngine
    const own = fileSections({
      ...{ points, builtins, compileRegex },
      entries: entries ? await entriesOf?.() : undefined,
    })
    return [...Object.values<ConfigSection>(own), ...sections]
  }
  const made = new Map<string, readonly ConfigSection[]>()
  const observes = (definition: HookDefinition) => {
    const point = byName.get(definition.on)
    return isObserver(definition, point && pointRules(point))
  }
  return {
    places: options,
    maxHooks: options.maxHooks ?? defaultMaxHooks,
    runsCode: options.runsCode ?? true,
    codeRuns: options.codeRuns ?? createCodeRuns(),
    rights: new Set(rights),
    settleMs: options.settleMs ?? 50,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    isTrusted: async (question) => {
      try {
        return (await options.isTrusted?.(question)) === true
      } catch {
        // Whoever cannot say trusts nothing.
        return false
      }
    },
    sectionsFor: async (node) => {
      const needed = { regex: hasRegex(node), entries: hasUse(node) }
      const key = JSON.stringify(needed)
      const known = made.get(key) ?? (await sectionsWith(needed))
      made.set(key, known)
      return known
    },
    failureOf: (definition) => {
      // How hooks of a use fail is theirs.
      if (isUse(definition) || observes(definition)) return 'open'
      return byName.get(definition.on)?.failure ?? 'open'
    },
    isObserver: observes,
    findBuiltinProblem: async (use) => findProblem?.(use),
    isFurther: (section) => sections.some(({ name }) => name === section),
    hashOfValue: (value) => sha256(textOfValue(value)),
  }
}

function readBuiltins(given: LoadOptions['builtins']): {
  readonly names?: readonly string[]
  readonly findProblem?: Builtins['findProblem']
} {
  if (given === undefined) return {}
  if (!('findProblem' in given)) return { names: given }
  const names = given.all.map(({ name }) => name)
  return { names, findProblem: (use) => given.findProblem(use) }
}

interface Needed {
  readonly regex: boolean
  readonly entries: boolean
}

const noEngine: Vocabulary['compileRegex'] = () => {
  throw new Error('no engine for expressions was loaded')
}

function hasUse(node: ConfigNode): boolean {
  const hooks = entryOf(node, 'hooks')
  return hooks?.type === 'list' && hooks.items.some(looksLikeUse)
}

function hasRegex(node: ConfigNode): boolean {
  if (node.type === 'list') return node.items.some(hasRegex)
  if (node.type === 'scalar') return false
  return node.entries.some((entry) => {
    return entry.key === '$regex' || hasRegex(entry.node)
  })
}

function textOfValue(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  } catch {
    // What is no data is refused where it is read.
    return ''
  }
}
