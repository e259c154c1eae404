import type { Command } from '../command.ts'
import { rootOption } from '../global-options.ts'
import { plainText } from '../output/plain-text.ts'
import { answerBridge } from './bridge/answer-bridge.ts'
import { bridgeDialects, bridgeOrder } from './bridge/bridge-order.ts'
import { refuseStrays } from './bridge/run-bridge.ts'

export const command: Command = {
  about:
    'Reads what the product tells its hooks, and answers as the product reads it: our hooks decide. The daemon is asked where one runs for the folder, otherwise the hooks are loaded here, which takes longer. What fails or takes too long refuses; at the end of a turn or a session it is only said on stderr, with exit code 1. A hook file of the project that is wrong refuses what the product lets a hook refuse; elsewhere that is said on stderr, with exit code 1, or with 2 where no hooks can be loaded without it.',
  arguments: [
    {
      name: '<dialect>',
      about: 'The product that runs it.',
      choices: bridgeDialects,
    },
  ],
  options: [
    {
      flags: '--event <name>',
      about: 'What happens, where the input does not name it (Copilot).',
    },
    {
      flags: '--timeout <time>',
      about: 'When it is refused; default: a little before the product would.',
    },
    rootOption,
  ],
  examples: [
    {
      command: 'hookline bridge claude-code',
      about: 'As the command of a hook in .claude/settings.json.',
    },
    {
      command: 'hookline bridge copilot --event preToolUse',
      about: 'Copilot does not say what happens.',
    },
  ],
  async run({ args, options, env, output }) {
    const order = bridgeOrder(args, { options, env })
    const onHooks = refuseStrays()
    const input = process.stdin
    const reply = await answerBridge(order, { input, env, onHooks })
    const { stdout, stderr } = reply
    if (output.isJson) output.json(reply)
    else {
      // To a product as it is; on a screen it is text, and nothing more.
      output.writeNote(output.isNoteTerminal ? plainText(stderr) : stderr)
      output.write(output.isTerminal ? plainText(stdout) : stdout)
    }
    if (reply.exitCode === 0) return 'ok'
    // The code with which products are refused is that of wrong words, too.
    return reply.exitCode === 2 ? 'usage' : 'failed'
  },
}
