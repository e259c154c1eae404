import { createRequire } from 'node:module'
import { AgentError } from '../../../index.ts'

const load = createRequire(import.meta.url)

/** A package that only some hooks need, as soon as they are made. */
export function loadPackage(hooks: string, name: string, entry = ''): unknown {
  return wanted(hooks, name, () => load(`${name}${entry}`))
}

/** Where it is, for whoever loads it elsewhere. */
export function findPackage(hooks: string, name: string): string {
  return wanted(hooks, name, () => load.resolve(name))
}

function wanted<T>(hooks: string, name: string, get: () => T): T {
  try {
    return get()
  } catch (cause) {
    const message = `The hooks "${hooks}" need the package ${name}; install it with: npm install ${name}`
    throw new AgentError('missing-package', message, cause)
  }
}
