import type { ForeignHook } from '../dialect.ts'

/** Nobody waits for it; only commands can be so. */
export function isAsync({ flags, handler }: ForeignHook): boolean {
  const isLater = flags['async'] === true || flags['asyncRewake'] === true
  return handler.type === 'command' && isLater
}
