import type { Command } from '../command.ts'
import { rootOption } from '../global-options.ts'
import { aloneOption } from '../turn/turn-options.ts'

export const command: Command = {
  about:
    'Looks at the machine, the files and every hook. Exit code 1: something is wrong.',
  options: [rootOption, aloneOption],
  examples: [{ command: 'hookline doctor', about: 'Everything, once.' }],
  async run(context) {
    const { examine } = await import('../doctor/examine.ts')
    return await examine(context)
  },
}
