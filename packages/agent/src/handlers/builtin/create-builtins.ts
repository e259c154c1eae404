import { type Clock, systemClock } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'
import { nearestName } from '../../data/nearest-name.ts'
import { loadSchemaCompiler } from '../../tools/compile-schema.ts'
import { Deadline } from '../deadline.ts'
import type { BuiltinDefinition } from '../definition.ts'
import type { Handler } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { type CodeRun, runCodeWithin } from '../module/code-run.ts'

/** Code that config files can name. */
export interface Builtin {
  /** Lower-case words joined by dashes. */
  readonly name: string
  readonly description?: string
  /** The names of the points that it can be used at. */
  readonly points: readonly string[]
  /** A JSON Schema of its options; what is not in it is refused. */
  readonly optionsSchema: JsonObject
  /** Called once for each hook that names it, with options that fit. */
  create(options: JsonObject): CodeRun
}

/** Builtins by name. */
export interface Builtins {
  readonly all: readonly Builtin[]
  /** What is wrong with a use of one, if anything is; in a full sentence. */
  findProblem(use: BuiltinUse): Promise<string | undefined>
  /** Throws a `HandlerFailure` where something is wrong. */
  open(use: BuiltinUse): Promise<Handler>
}

export interface BuiltinUse {
  readonly definition: BuiltinDefinition
  /** The name of the point. */
  readonly point: string
}

export interface BuiltinsOptions {
  readonly clock?: Clock
  /** Of one answer; default 1 MiB. */
  readonly maxAnswerBytes?: number
}

/** A registry of code that config files can use by name. */
export function createBuiltins(
  all: readonly Builtin[],
  { clock = systemClock, maxAnswerBytes = 1_048_576 }: BuiltinsOptions = {},
): Builtins {
  const byName = new Map(all.map((builtin) => [builtin.name, builtin]))
  checkNames(all)

  const findProblem = async ({ definition, point }: BuiltinUse) => {
    const { name, options = {} } = definition
    const builtin = byName.get(name)
    if (builtin === undefined) return unknownName(name, [...byName.keys()])
    if (!builtin.points.includes(point)) {
      const points = builtin.points.join(', ')
      return `The builtin "${name}" cannot be used at ${point}; its points are: ${points}.`
    }
    const compile = await loadSchemaCompiler()
    const problem = compile(closed(builtin.optionsSchema))(options)
    if (problem === undefined) return undefined
    return `The options of the builtin "${name}" do not fit: ${problem}.`
  }

  return {
    all: Object.freeze([...all]),
    findProblem,
    async open(use) {
      const { name, options = {} } = use.definition
      const problem = await findProblem(use)
      const builtin = byName.get(name)
      if (problem !== undefined || builtin === undefined) {
        throw new HandlerFailure('not-started', problem ?? '')
      }
      const run = builtin.create(structuredClone(options))
      return handlerOf(run, { clock, maxBytes: maxAnswerBytes })
    },
  }
}

function handlerOf(
  run: CodeRun,
  { clock, maxBytes }: { readonly clock: Clock; readonly maxBytes: number },
): Handler {
  return {
    async ask({ envelope, diagnose, remainingMs, signal }) {
      const deadline = new Deadline(clock, remainingMs, signal)
      try {
        const call = { envelope, diagnose, maxBytes }
        return await runCodeWithin(deadline, run, call)
      } finally {
        deadline.end()
      }
    },
  }
}

function checkNames(all: readonly Builtin[]): void {
  const seen = new Set<string>()
  for (const { name } of all) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
      const message = `"${name}" is no name of a builtin; use lower-case words joined by dashes.`
      throw new HandlerFailure('not-started', message)
    }
    if (seen.has(name)) {
      const message = `Two builtins are named "${name}"; rename one.`
      throw new HandlerFailure('not-started', message)
    }
    seen.add(name)
  }
}

function unknownName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  if (nearest !== undefined) {
    return `There is no builtin "${name}"; did you mean "${nearest}"?`
  }
  const names = known.length === 0 ? 'none is registered' : known.join(', ')
  return `There is no builtin "${name}"; those there are: ${names}.`
}

/** A misspelt option would do nothing, so that it is an error. */
function closed(schema: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: false, ...schema }
}
