import { CliError } from '../../cli-error.ts'
import type { Subcommand } from '../../command.ts'

export const revokeCommand: Subcommand = {
  name: 'revoke',
  summary: 'Have it asked again.',
  arguments: [{ name: '<rule>', about: 'Its id; see "approvals rules".' }],
  examples: [
    {
      command: 'hookline approvals revoke <rule>',
      about: 'What it covered has to be asked for from now on.',
    },
  ],
  async run({ args, connect, output }) {
    const client = await connect()
    const [ruleId = ''] = args
    const outcome = await client.revokeRule({ ruleId })
    if (!outcome.wasThere) {
      const hint = 'Those that count: hookline approvals rules'
      throw new CliError('not-found', 'No such rule counts.', { hint })
    }
    if (output.isJson) output.json(outcome)
    else output.line('It is asked again from now on.')
    return undefined
  },
}
