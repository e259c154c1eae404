import type { MaybePromise } from 'hookline'
import type {
  ArgsCheck,
  BoundTool,
  CheckedArgs,
  JsonObject,
} from 'hookline/lifecycle'
import { describeIssues } from '../data/args-issue.ts'
import { copyJsonObject } from '../data/copy-json.ts'
import { errorText } from '../data/error-text.ts'
import { isPromiseLike } from '../data/promise-like.ts'
import {
  loadSchemaCompiler,
  type SchemaCheck,
  type SchemaCompiler,
} from './compile-schema.ts'
import { givesCopies } from './schema-check.ts'

/** Checks arguments as their tool asks. What cannot be checked is a problem. */
export interface ArgsChecker {
  (tool: BoundTool, args: JsonObject): MaybePromise<CheckedArgs>
  /** Compiles their schemas, so that no call has to wait for it. */
  prepare(tools: Iterable<BoundTool>): Promise<void>
}

export function createArgsChecker(): ArgsChecker {
  const checks = new WeakMap<JsonObject, SchemaCheck>()
  let compiler: SchemaCompiler | undefined

  const compile = (using: SchemaCompiler, { inputSchema }: BoundTool) => {
    const made = checks.get(inputSchema) ?? checkOf(inputSchema, using)
    checks.set(inputSchema, made)
    return made
  }
  const load = async () => {
    compiler ??= await loadSchemaCompiler()
    return compiler
  }
  const check = (tool: BoundTool, args: JsonObject) => {
    if (tool.checkArgs) return checkByTool(tool, args)
    const known = checks.get(tool.inputSchema)
    if (known) return run(known, tool, args)
    if (compiler) return run(compile(compiler, tool), tool, args)
    return load().then((loaded) => run(compile(loaded, tool), tool, args))
  }
  const prepare = async (tools: Iterable<BoundTool>) => {
    for (const tool of tools) {
      if (!tool.checkArgs) compile(compiler ?? (await load()), tool)
    }
  }
  return Object.assign(check, { prepare })
}

function checkOf(schema: JsonObject, compile: SchemaCompiler): SchemaCheck {
  try {
    return compile(schema)
  } catch (error) {
    const message = `cannot be checked, as the schema of the tool is not valid: ${errorText(error)}`
    const problem = describeIssues([{ path: [], message }])
    return () => problem
  }
}

function run(check: SchemaCheck, tool: BoundTool, args: JsonObject) {
  try {
    const problem = check(args)
    return problem === undefined ? { args } : { problem }
  } catch (error) {
    // Such as a stack that is not as deep as the arguments are.
    return failed(tool, error)
  }
}

function checkByTool(
  tool: BoundTool,
  args: JsonObject,
): MaybePromise<CheckedArgs> {
  const fail = (error: unknown) => failed(tool, error)
  try {
    const check = tool.checkArgs as ArgsCheck // only asked where it is there
    const given = check(args)
    const read = givesCopies(check) ? readOwn : readChecked
    return isPromiseLike(given)
      ? Promise.resolve(given).then(read).catch(fail)
      : read(given)
  } catch (error) {
    return fail(error)
  }
}

/** A tool can be written by hand: only an answer that is one is read as one. */
function readChecked(given: CheckedArgs | undefined): CheckedArgs {
  if (typeof given?.problem === 'string') return given
  if (!given || given.problem !== undefined) {
    throw new Error('it gave neither arguments nor a problem')
  }
  const { value, issue } = copyJsonObject(given.args)
  return issue ? { problem: describeIssues([issue]) } : { args: value }
}

function readOwn(given: CheckedArgs): CheckedArgs {
  return given
}

function failed({ name }: BoundTool, error: unknown): CheckedArgs {
  const message = `cannot be checked, as the check of "${name}" failed: ${errorText(error)}`
  return { problem: describeIssues([{ path: [], message }]) }
}
