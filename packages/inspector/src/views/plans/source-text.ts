import type { Hook } from '../../data/protocol.ts'

/** Where a hook is written. */
export function sourceText({ source }: Pick<Hook, 'source'>): string {
  const { kind, file, line, name } = source
  if (file !== undefined) return line === undefined ? file : `${file}:${line}`
  return name === undefined ? kind : `${kind} ${name}`
}
