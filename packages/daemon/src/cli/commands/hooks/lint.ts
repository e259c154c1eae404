import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { DialectName, Finding } from '@hookline/agent/config'
import { CliError } from '../../cli-error.ts'
import type { Subcommand } from '../../command.ts'
import { rootOption } from '../../global-options.ts'
import { bridgeDialects } from '../bridge/bridge-order.ts'
import { lintForeign, lintOwn } from './lint-file.ts'
import { showFindings } from './show-findings.ts'

export const lintCommand: Subcommand = {
  name: 'lint',
  summary: 'Check a hook file, of hookline or of another product.',
  about: 'Needs no daemon, and runs nothing.',
  arguments: [{ name: '<file>', about: 'The file.' }],
  options: [
    {
      flags: '--dialect <product>',
      about: 'Whose it is; default: as its path says.',
      choices: ['hookline', ...bridgeDialects],
    },
    rootOption,
  ],
  examples: [
    {
      command: 'hookline hooks lint .claude/settings.json',
      about: 'Exit code 1: something in it does not do what it seems to.',
    },
  ],
  async run({ args, options, output }) {
    const file = resolve(args[0] ?? '')
    const text = await readText(file)
    const dialect = options.text('dialect') ?? dialectOf(file)
    const projectDir = resolve(options.text('root') ?? '.')
    const findings =
      dialect === 'hookline'
        ? await lintOwn(file, { projectDir })
        : await lintForeign(text, { file, projectDir, dialect: named(dialect) })
    if (output.isJson) output.json({ file, dialect, findings })
    else showFindings(findings, output)
    return hasError(findings) ? 'failed' : 'ok'
  },
}

function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const message = `The file "${file}" cannot be read.`
    throw new CliError('not-found', message, { cause })
  }
}

const usualPlaces: readonly (readonly [RegExp, string])[] = [
  [/(^|[\\/])(hookline\.config|hooks|local)\.(ya?ml|toml)$/, 'hookline'],
  [/(^|[\\/])hookline\.config\.json$/, 'hookline'],
  [/[\\/]\.hookline[\\/][^\\/]+$/, 'hookline'],
  [/[\\/]\.claude[\\/]/, 'claude-code'],
  [/[\\/]\.codex[\\/]/, 'codex'],
  [/[\\/]\.gemini[\\/]/, 'gemini'],
  [/[\\/]\.cursor[\\/]/, 'cursor'],
  [/[\\/]\.(github[\\/]hooks|copilot)[\\/]/, 'copilot'],
  [/[\\/]\.vscode[\\/]/, 'vs-code'],
]

function dialectOf(file: string): string {
  const found = usualPlaces.find(([pattern]) => pattern.test(file))
  if (found !== undefined) return found[1]
  const message = `The path of "${file}" does not say whose hook file it is.`
  throw new CliError('usage', message, {
    hint: `Say so with --dialect: hookline, ${bridgeDialects.join(', ')}.`,
  })
}

function named(dialect: string): DialectName {
  const found = bridgeDialects.find((one) => one === dialect)
  if (found !== undefined) return found
  throw new CliError('usage', `There is no dialect "${dialect}".`)
}
