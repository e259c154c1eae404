import { readFile, stat } from 'node:fs/promises'
import type { Environment } from './places.ts'
import type { KeySource } from './settings.ts'
import { WorkspaceError } from './workspace-error.ts'

const minChars = 16

/** A key from where it is said to be; nobody else may be able to read it. */
export async function readKey(
  source: KeySource,
  env: Environment,
): Promise<string> {
  const key =
    'env' in source
      ? fromVariable(source.env, env)
      : await fromFile(source.file)
  if (key.length >= minChars) return key
  const place =
    'env' in source
      ? `The variable "${source.env}"`
      : `The file "${source.file}"`
  const message = `${place} holds a key of less than ${minChars} characters; make a longer one.`
  throw new WorkspaceError('invalid-key', message)
}

/** What a variable holds; it is an error if it holds nothing. */
export function fromVariable(name: string, env: Environment): string {
  const value = env[name]?.trim()
  if (value) return value
  const message = `The variable "${name}", which the configuration names, is not set; set it.`
  throw new WorkspaceError('missing-variable', message)
}

async function fromFile(file: string): Promise<string> {
  try {
    const { mode } = await stat(file)
    const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0
    if (!isOpen) return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    const message = `The key in "${file}" cannot be read; see whether the file is there and ours.`
    throw new WorkspaceError('invalid-key', message, error)
  }
  const message = `The key in "${file}" can be read by others; take their rights away (chmod 600).`
  throw new WorkspaceError('invalid-key', message)
}
