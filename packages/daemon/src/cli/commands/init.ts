import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { rootOption } from '../global-options.ts'
import {
  configPath,
  type StarterOptions,
  starterFiles,
} from '../init/starter-files.ts'
import { writeStarter } from '../init/write-starter.ts'

const defaults: StarterOptions = { agent: 'helper', model: undefined }

export const command: Command = {
  about: 'Nothing that is there is ever overwritten.',
  options: [
    rootOption,
    { flags: '-y, --yes', about: 'Do not ask.' },
    { flags: '--agent <name>', about: 'What the agent is called.' },
    {
      flags: '--model <name>',
      about: 'Its model, such as anthropic/claude-sonnet-4-5.',
    },
    { flags: '--no-trust', about: 'Do not trust what was written.' },
  ],
  examples: [
    { command: 'hookline init', about: 'Asks what it needs to know.' },
    { command: 'hookline init --yes', about: 'Asks nothing.' },
  ],
  async run(context) {
    const { options, output, env } = context
    const root = resolve(options.text('root') ?? '.')
    if (existsSync(join(root, configPath))) {
      const message = `There is a configuration already: ${join(root, configPath)}.`
      const hint = 'Check it with "hookline doctor"; nothing was changed.'
      throw new CliError('failed', message, { hint })
    }
    const wishes = await askWishes(context, root)
    const files = await writeStarter(root, starterFiles(wishes))
    const added = files.filter(({ isNew }) => isNew)
    const isTrusted = options.flag('trust')
    if (isTrusted) {
      const { trustStarter } = await import('../init/trust-starter.ts')
      await trustStarter(root, added, env)
    }
    if (output.isJson) {
      const list = files.map(({ path, isNew }) => ({ path, isNew }))
      output.json({ root, files: list, isTrusted })
      return undefined
    }
    for (const { path, about, isNew } of files) {
      const what = isNew ? about : 'was there already, and stays as it is'
      output.line(`  ${output.style(isNew ? 'green' : 'dim', path)}  ${what}`)
    }
    output.line()
    output.line('Next:')
    const when = isTrusted
      ? 'again, when you change them'
      : 'so that they count'
    output.line(`  hookline hooks trust   ${when}`)
    output.line('  hookline doctor        checks that everything works')
    output.line('  hookline hooks test no-force-push --tool shell \\')
    output.line(`    --args '{"command": "git push --force"}'   asks the hook`)
    output.line('  hookline chat          talks with the agent')
    return undefined
  },
}

async function askWishes(
  { options, output, env }: CommandContext,
  root: string,
): Promise<StarterOptions> {
  const { agent = defaults.agent, model } = {
    agent: options.text('agent'),
    model: options.text('model'),
  }
  checkAgent(agent)
  const isTerminal = output.isNoteTerminal && process.stdin.isTTY === true
  if (options.flag('yes') || output.isJson) return { agent, model }
  if (!isTerminal) {
    const message = 'Nobody can be asked: this is no terminal.'
    throw new CliError('usage', message, { hint: 'Say --yes.' })
  }
  const { isCancel, text } = await import('@clack/prompts')
  const common = { output: process.stderr }
  const named = await text({
    ...common,
    message: `What is the agent of ${basename(root)} called?`,
    initialValue: agent,
    validate: (given) =>
      isAgentName(given ?? '') ? undefined : 'Letters, digits, - and _ only.',
  })
  const hasKey = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'HOOKLINE_MODEL'].some(
    (name) => env[name],
  )
  const chosen = isCancel(named)
    ? named
    : await text({
        ...common,
        message: 'Which model does it use?',
        placeholder: hasKey
          ? 'as the environment says'
          : 'provider/model-id, or nothing for now',
        initialValue: model ?? '',
        validate: (given = '') =>
          given === '' || /^[^\s/]+\/\S+$/.test(given)
            ? undefined
            : 'As provider/model-id, such as anthropic/claude-sonnet-4-5.',
      })
  if (isCancel(named) || isCancel(chosen)) {
    throw new CliError('interrupted', 'Nothing was written.')
  }
  return { agent: named, model: chosen === '' ? undefined : chosen }
}

function isAgentName(name: string): boolean {
  return /^[A-Za-z0-9][\w-]{0,63}$/.test(name)
}

function checkAgent(name: string): void {
  if (isAgentName(name)) return
  throw new CliError('usage', `"${name}" cannot be the name of an agent.`, {
    hint: 'Use letters, digits, - and _.',
  })
}
