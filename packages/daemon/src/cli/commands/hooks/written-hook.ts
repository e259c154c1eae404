import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { CliError } from '../../cli-error.ts'

/** A hook that is named, or one that a file holds. */
export interface WantedHook {
  readonly hook: string | Record<string, unknown>
  readonly file?: string
  /** Which hook of a use. */
  readonly part?: string
}

export interface WantedOptions {
  /** Which one of a file that holds several. */
  readonly named: string | undefined
}

/** Reads what somebody means by a word: the name of a hook, or a file. */
export async function readWanted(
  word: string,
  { named }: WantedOptions,
): Promise<WantedHook> {
  if (!isFile(word)) {
    if (named === undefined) return { hook: word }
    throw new CliError('usage', `There is no file "${word}".`)
  }
  const file = resolve(word)
  const hooks = await readFile(file)
  const names = hooks.map(({ name }) => name).join(', ')
  const found =
    named === undefined && hooks.length === 1
      ? hooks[0]
      : (hooks.find(({ name }) => name === named) ??
        // The names of a use's hooks begin with its own.
        hooks.find(({ name, definition }) => {
          return 'use' in definition && named?.startsWith(`${name}:`)
        }))
  if (found === undefined) {
    const message =
      named === undefined
        ? `"${word}" holds ${hooks.length} hooks.`
        : `"${word}" holds no hook "${named}".`
    const hint =
      hooks.length === 0 ? noHooks : `Say which: --hook <name>, of ${names}.`
    throw new CliError(named === undefined ? 'usage' : 'not-found', message, {
      hint,
    })
  }
  const { name, definition } = found
  const hook = { ...definition, name, disabled: false }
  const isPart = named !== undefined && named !== name
  return { hook, file, ...(isPart && { part: named }) }
}

const noHooks =
  'A file of hookline has them under "hooks:"; files of other products are turned into one with "hookline import".'

function isFile(word: string): boolean {
  const looksSo = /[\\/]|\.(?:ya?ml|json|toml)$/.test(word)
  if (!looksSo) return false
  if (existsSync(word) && statSync(word).isFile()) return true
  throw new CliError('not-found', `There is no file "${word}".`)
}

async function readFile(file: string) {
  const { loadConfig, loadLinearRegex } = await import('@hookline/agent/config')
  const { configSections } = await import(
    '../../../reload/sections/config-sections.ts'
  )
  const { knownHooks } = await import('../../../reload/known-hooks.ts')
  const nowhere = resolve(dirname(file), `.${basename(file)}.none`)
  const { hooks, problems } = await loadConfig({
    files: [file],
    managed: nowhere,
    user: nowhere,
    runsCode: false,
    catalogue: knownHooks(),
    sections: configSections(await loadLinearRegex()),
  })
  const first = problems.find(({ severity }) => severity === 'error')
  if (first === undefined) return hooks
  const { line, column, message } = first
  throw new CliError('failed', `${file}:${line}:${column}: ${message}`, {
    hint: 'See all that is wrong with: hookline hooks lint',
  })
}
