import {
  type WasmExports,
  type WasmImports,
  webAssembly,
} from './web-assembly.ts'

const maxValue = 1_048_576
const maxWords = 1_000

/**
 * From here on, texts on this thread have a bounded length: those that come
 * out of a policy, whose end would be looked for without end, and those that go
 * into one. Without it, one text could take more memory than a thread may have,
 * and that ends the whole process.
 */
export function boundTexts(maxReply: number): void {
  const { Instance } = webAssembly
  webAssembly.Instance = class {
    readonly exports: WasmExports

    constructor(...[module, imports]: ConstructorParameters<typeof Instance>) {
      const { exports } = new Instance(module, boundImports(imports))
      this.exports = boundExports(exports, imports, maxReply)
    }
  }
  const { stringify } = JSON
  // A wide `sprintf` makes a text that costs nothing until it is written out.
  const bounded = (...args: Parameters<typeof stringify>) => {
    const value: unknown = args[0]
    const isLong = typeof value === 'string' && value.length > maxValue
    if (isLong) throw new Error('A built-in function gave too much.')
    return stringify(...args)
  }
  Object.assign(JSON, { stringify: bounded })
}

function boundImports({ env }: WasmImports): WasmImports {
  return {
    env: {
      ...env,
      opa_abort(at) {
        checkText(env, at, maxWords)
        env.opa_abort(at)
      },
      // What a policy prints would have to be read by someone.
      ...{ opa_println: () => {} },
    },
  }
}

function boundExports(
  exports: WasmExports,
  { env }: WasmImports,
  maxReply: number,
): WasmExports {
  const bound =
    (name: string, max: number) =>
    (...args: readonly number[]) => {
      const at = exports[name]?.(...args) ?? 0
      checkText(env, at, max)
      return at
    }
  return {
    ...exports,
    opa_json_dump: bound('opa_json_dump', maxValue),
    opa_eval: bound('opa_eval', maxReply),
  }
}

function checkText(
  { memory }: WasmImports['env'],
  at: number,
  max: number,
): void {
  const bytes = new Uint8Array(memory.buffer)
  // An address from outside has no text at all.
  const text = at < 0 ? bytes.subarray(0, 0) : bytes.subarray(at, at + max + 1)
  if (!text.includes(0)) throw new Error('It says something too long.')
}
