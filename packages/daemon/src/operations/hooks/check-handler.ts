import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  checkCommand,
  type HandlerDefinition,
  isUse,
} from '@hookline/agent/handlers'
import type { Check, CheckedHook } from './check.ts'

/** Whether what runs for a hook is there, and can be run. */
export async function checkHandler({
  hook,
  written,
}: CheckedHook): Promise<readonly Check[]> {
  if (written === undefined) return []
  const { definition, folder } = written
  // Whoever loaded a use has made its hooks.
  const problem = isUse(definition)
    ? undefined
    : await problemOf(definition.handler, folder)
  const name = 'handler'
  if (problem !== undefined) return [{ name, level: 'error', message: problem }]
  const { kind, id } = hook.handler
  const what = kind === 'use' ? `entry "${id}"` : kind
  const message = `Its ${what} can be used.`
  return [{ name, level: 'ok', message }]
}

async function problemOf(
  handler: HandlerDefinition,
  folder: string,
): Promise<string | undefined> {
  switch (handler.type) {
    case 'command': {
      const failure = await checkCommand(handler, { folder })
      return failure?.message
    }
    case 'module':
      return await unreadable(resolve(folder, handler.file))
    case 'http':
      return missingVariables([
        ...(handler.env ?? []),
        ...(handler.secretEnv === undefined ? [] : [handler.secretEnv]),
      ])
    case 'prompt':
    case 'builtin':
      // Whoever loaded it has found the one; the other is a model's to answer.
      return undefined
  }
}

async function unreadable(file: string): Promise<string | undefined> {
  try {
    await access(file, constants.R_OK)
    return undefined
  } catch {
    return `The file "${file}" is not there, or cannot be read; put it there, or correct its name.`
  }
}

function missingVariables(names: readonly string[]): string | undefined {
  const missing = names.filter((name) => process.env[name] === undefined)
  if (missing.length === 0) return undefined
  return `It needs variables that the daemon does not have: ${missing.join(', ')}; set them and start the daemon again.`
}
