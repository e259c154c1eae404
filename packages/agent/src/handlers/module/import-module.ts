import { execFile } from 'node:child_process'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { errorPlace, type ModulePlace } from './error-place.ts'

/** What a module exports. */
export type Exported = Readonly<Record<string, unknown>>

/** So many files that were loaded last may be the one with the slip. */
const maxLooks = 3
/** All of them together. */
const lookMs = 3_000

/**
 * Imports a module. Of a slip in JavaScript Node keeps the place to itself,
 * unless it ends a process (of TypeScript it tells): so it is looked for.
 */
export async function importModule(
  url: string,
  module: ModulePlace,
): Promise<Exported> {
  const latest: string[] = []
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      if (latest.unshift(found.url) > maxLooks) latest.pop()
      return found
    },
  })
  try {
    return await import(/* @vite-ignore */ url)
  } catch (thrown) {
    if (thrown instanceof SyntaxError && !errorPlace(thrown, module)) {
      await addPlace(thrown, latest)
    }
    throw thrown
  } finally {
    hooks.deregister()
  }
}

/** Files with types in them are none that another Node could look at. */
const isScript = /^file:[^?]*\.[cm]?js(?:\?|$)/

/** Puts it where Node puts that of others: above the stack. */
async function addPlace(
  slip: SyntaxError,
  urls: readonly string[],
): Promise<void> {
  const untilMs = performance.now() + lookMs
  for (const url of urls.filter((one) => isScript.test(one))) {
    const leftMs = Math.ceil(untilMs - performance.now())
    if (leftMs <= 0) return
    const told = await checkSyntax(fileURLToPath(url), leftMs)
    // Others may be loaded at the same time, with slips of their own.
    if (!told.includes(`SyntaxError: ${slip.message}`)) continue
    slip.stack = `${told}\n${slip.stack}`
    return
  }
}

/** What a Node of its own says of a file, of which it runs nothing. */
async function checkSyntax(file: string, timeout: number): Promise<string> {
  const options = { timeout, env: {}, windowsHide: true }
  try {
    return await new Promise((resolve) => {
      const tell = (_: unknown, __: string, told: string) => resolve(told)
      execFile(process.execPath, ['--check', file], options, tell)
    })
  } catch {
    // It may not be started here: the place stays unknown.
    return ''
  }
}
