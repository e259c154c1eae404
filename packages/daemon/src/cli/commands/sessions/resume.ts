import type { Subcommand } from '../../command.ts'
import { connectForTurn } from '../../connect/connect-for-turn.ts'
import { rootOption } from '../../global-options.ts'
import { aloneOption, turnOptions } from '../../turn/turn-options.ts'

export const resumeCommand: Subcommand = {
  name: 'resume',
  summary: 'Go on with a turn that was interrupted.',
  arguments: [{ name: '<session>', about: 'Its id.' }],
  options: [rootOption, aloneOption, ...turnOptions],
  examples: [
    {
      command: 'hookline sessions resume <session>',
      about: 'What ran already does not run again.',
    },
  ],
  async run(context) {
    const { playTurn } = await import('../../turn/play-turn.ts')
    const connection = await connectForTurn(context)
    const { client } = connection
    const [sessionId = ''] = context.args
    return await playTurn(context, {
      connection,
      // Not opened yet: it would go on before anybody sees it.
      open: () => client.getSession({ sessionId }),
      start: () => client.resume({ sessionId }),
    })
  },
}
