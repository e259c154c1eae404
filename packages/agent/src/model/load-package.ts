import { AgentError } from '../ports/agent-error.ts'

/**
 * Loads a package that is optional; says what to install if it is not there.
 * Whoever asks says what it holds, as no compiler can look into it.
 */
export async function loadPackage<Module>(name: string): Promise<Module> {
  try {
    return await import(name)
  } catch (thrown) {
    if (!isMissing(name, thrown)) throw thrown
    const message = `This provider needs the package ${name}; install it with: npm install ${name}`
    throw new AgentError('missing-package', message, thrown)
  }
}

/** The package itself; one that lacks a part of its own is broken, not missing. */
function isMissing(name: string, thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false
  return (
    thrown.code === 'ERR_MODULE_NOT_FOUND' &&
    thrown.message.includes(`'${name}'`)
  )
}
