import { readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { DialectName } from '@hookline/agent/config'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { rootOption } from '../global-options.ts'
import { plainLine } from '../output/plain-text.ts'
import { bridgeDialects } from './bridge/bridge-order.ts'
import { showFindings } from './hooks/show-findings.ts'
import { type ReadImport, readImport } from './import/read-import.ts'
import { writeConfig } from './import/write-config.ts'

export const command: Command = {
  about:
    'The programs of a hook file speak the language of their product, so that the file is named in a configuration of ours, which runs it as it is: with the same matchers, inputs and answers. What will not work is said. Nothing is overwritten.',
  arguments: [
    {
      name: '<dialect>',
      about: 'The product whose file it is.',
      choices: bridgeDialects,
    },
    {
      name: '[file]',
      about:
        'The file; default: where the product has it in a project, such as .claude/settings.json.',
    },
  ],
  options: [
    {
      flags: '-o, --output <file>',
      about: 'Into a new file (.yaml or .json); default: stdout.',
      takes: 'file',
    },
    {
      flags: '--strict',
      about: 'Deny what the product would let pass by mistake.',
    },
    rootOption,
  ],
  examples: [
    {
      command: 'hookline import claude-code --output hookline.config.yaml',
      about: 'They run here once you trust them: hookline hooks trust',
    },
  ],
  async run(context) {
    const { options, output } = context
    const dialect = dialectNamed(context.args[0])
    const root = resolve(options.text('root') ?? '.')
    const given = context.args[1]
    const file = given === undefined ? usualFile(dialect, root) : resolve(given)
    const out = options.text('output')
    const target = out === undefined ? undefined : resolve(out)
    const read = await readImport(await textOf(file), {
      dialect,
      file,
      projectDir: root,
    })
    const text = writeConfig(read, {
      folder: target === undefined ? root : dirname(target),
      isJson: target?.endsWith('.json') === true,
      isStrict: options.flag('strict'),
    })
    if (target !== undefined) await writeNew(target, text)
    if (output.isJson) {
      output.json({ ...read, ...(target && { out: target }), config: text })
    } else tell(context, { read, text, target })
    return undefined
  },
}

interface Told {
  readonly read: ReadImport
  readonly text: string
  readonly target: string | undefined
}

function tell({ output }: CommandContext, { read, text, target }: Told): void {
  const { hooks, findings } = read
  // On stdout it is what comes of it, and nothing else.
  if (target === undefined) output.write(text)
  else {
    showFindings(findings, output)
    output.line(`${plainLine(target)} runs ${hooks.length} hooks.`)
    output.line(
      'Next: hookline config check, then hookline hooks trust if it is in a project.',
    )
  }
  const idle = hooks.filter(({ points }) => points.length === 0)
  for (const { id, event } of idle) {
    output.note(plainLine(`${id}: "${event}" never happens here.`))
  }
}

function dialectNamed(name: string | undefined): DialectName {
  const found = bridgeDialects.find((one) => one === name)
  if (found !== undefined) return found
  throw new CliError('usage', `There is no dialect "${name ?? ''}".`)
}

/** Where a product has its hooks in a project, if that is one file. */
const usualFiles: Partial<Record<DialectName, string>> = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  cursor: '.cursor/hooks.json',
}

function usualFile(dialect: DialectName, root: string): string {
  const usual = usualFiles[dialect]
  if (usual !== undefined) return resolve(root, usual)
  const message = `It is not said which file; hooks of ${dialect} are in several, in .github/hooks.`
  throw new CliError('usage', message, {
    hint: `Name one: hookline import ${dialect} .github/hooks/<name>.json`,
  })
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const message = `The file "${file}" cannot be read.`
    throw new CliError('not-found', message, { cause })
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' })
  } catch (cause) {
    if (Object(cause).code !== 'EEXIST') throw cause
    const message = `There is a file "${file}" already; nothing was written.`
    throw new CliError('failed', message, {
      cause,
      hint: 'Without --output, what belongs into it is printed.',
    })
  }
}
