import { checkSections } from './check-sections.ts'

/** A compiled module; only the system looks inside. */
export interface WasmModule {
  readonly '~module': unique symbol
}

/** What a module exports; functions among it take numbers and give one. */
export type WasmExports = Readonly<
  Record<string, (...args: readonly number[]) => number>
>

export interface WasmImports {
  readonly env: {
    readonly memory: { readonly buffer: ArrayBuffer }
    readonly opa_abort: (at: number) => void
  }
}

interface WasmModules {
  new (bytes: Uint8Array): WasmModule
  exports(module: WasmModule): readonly { readonly name: string }[]
}

/** Every Node has it; only its types are those of browsers. */
export const webAssembly = Reflect.get(globalThis, 'WebAssembly') as {
  readonly Module: WasmModules
  Instance: new (
    module: WasmModule,
    imports: WasmImports,
  ) => { readonly exports: WasmExports }
}

/** What the functions of OPA for WebAssembly call in every module. */
const neededExports = [
  ...['builtins', 'entrypoints', 'opa_wasm_abi_version', 'opa_malloc'],
  ...['opa_json_parse', 'opa_json_dump', 'opa_heap_ptr_get'],
  'opa_heap_ptr_set',
]

/** Compiles a policy; throws what is wrong with it. Nothing of it runs. */
export function compilePolicy(bytes: Uint8Array): WasmModule {
  const { Module } = webAssembly
  let module: WasmModule
  try {
    module = new Module(bytes)
  } catch (cause) {
    throw new Error('It is no WebAssembly.', { cause })
  }
  const names = new Set(Module.exports(module).map(({ name }) => name))
  const missing = neededExports.find((name) => !names.has(name))
  if (missing !== undefined) {
    throw new Error(`It is no policy of OPA: it has no "${missing}".`)
  }
  checkSections(bytes)
  return module
}
