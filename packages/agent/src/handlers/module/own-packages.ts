import { registerHooks } from 'node:module'

const ownPackages = /^(hookline|@hookline\/agent)(\/|$)/

/**
 * A file of hooks may name our packages where nobody has installed them: then
 * it gets those that run it. What is installed beside the file comes first.
 */
export function offerOwnPackages(): void {
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context)
      } catch (error) {
        if (!ownPackages.test(specifier)) throw error
        return next(specifier, { ...context, parentURL: import.meta.url })
      }
    },
  })
}
