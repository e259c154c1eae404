import type { Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import { rootOption } from '../../global-options.ts'
import { plainText } from '../../output/plain-text.ts'
import { renderConfigState } from '../../render-config-state.ts'
import { loadHere } from './load-here.ts'

export const showCommand: Subcommand = {
  name: 'show',
  summary: 'Show what the files of all layers come to.',
  about:
    'With --daemon: what the daemon that runs has read, and whether it holds.',
  options: [
    { flags: '--daemon', about: 'Of the daemon that runs.' },
    rootOption,
  ],
  examples: [
    { command: 'hookline config show', about: 'With all defaults.' },
    { command: 'hookline config show --daemon', about: 'What is in force.' },
  ],
  async run(context) {
    const { options, output, connect } = context
    if (!options.flag('daemon')) return await showFiles(context)
    const client = await connect()
    const state = await client.getConfig()
    if (output.isJson) output.json(state)
    else output.line(renderConfigState(state, output))
    return state.refusal === undefined ? 'ok' : 'failed'
  },
}

async function showFiles(context: CommandContext): Promise<undefined> {
  const { output, env } = context
  const { settings, config } = await loadHere(context)
  const { createRedactor, secretsOf } = await import('@hookline/agent/durable')
  const redactor = createRedactor({ secrets: secretsOf(env) })
  const { sources, hooks, dialects, disabled } = config
  // Somebody may have written a secret where none belongs.
  const shown = redactor.data({
    sources,
    settings,
    hooks: hooks.map(({ name, definition, layer, file, line }) => ({
      ...{ name, layer, file, line, definition },
    })),
    dialects,
    disabled,
  })
  if (output.isJson) output.json(shown)
  else output.line(plainText(JSON.stringify(shown, null, 2)))
  return undefined
}
