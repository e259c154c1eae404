import type { Cell } from '../engine/index.ts'

export function defineCell<T>(
  name: string,
  cell: { initial: () => T; scope?: string; maxChars?: number },
): Cell<T> {
  return Object.freeze({ name, scope: 'global', maxChars: 65_536, ...cell })
}
