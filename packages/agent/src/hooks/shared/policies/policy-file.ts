import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { resolve } from 'node:path'
import type { HooksHost } from '../../../define-hooks.ts'
import { AgentError } from '../../../index.ts'

export interface PolicyFile {
  /** As the options name it. */
  readonly path: string
  /** What is in it, for who reads that it cannot be read. */
  readonly what: string
  readonly maxBytes: number
}

/** All of a file, at once, so that what is wrong is found before any call. */
export function readPolicyFile(
  { name, folder }: Pick<HooksHost, 'name' | 'folder'>,
  { path, what, maxBytes }: PolicyFile,
): Buffer {
  try {
    return readBytes(resolve(folder, path), maxBytes)
  } catch (cause) {
    const message = `The file with the ${what} of "${name}" cannot be read.`
    throw new AgentError('invalid-config', message, cause)
  }
}

function readBytes(path: string, maxBytes: number): Buffer {
  // To open anything else may wait for ever.
  if (!statSync(path).isFile()) throw new Error('It is not a file.')
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  const file = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Error('It is not a file.')
    if (stats.size > maxBytes) throw new Error('It is too large.')
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}
