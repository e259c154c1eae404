import type { Subcommand } from '../../command.ts'
import { plainLine } from '../../output/plain-text.ts'
import { renderApproval } from '../../turn/ask-approval.ts'

export const showCommand: Subcommand = {
  name: 'show',
  summary: 'Show all of what an agent asks to do.',
  arguments: [{ name: '<approval>', about: 'Its id.' }],
  examples: [
    {
      command: 'hookline approvals show <approval>',
      about: 'What would run, and the hash that an answer is bound to.',
    },
  ],
  async run({ args, connect, output }) {
    const client = await connect()
    const approval = await client.getApproval({ approvalId: args[0] ?? '' })
    if (output.isJson) {
      output.json(approval)
      return undefined
    }
    output.line(renderApproval(approval))
    const { state, decidedBy, reason } = approval
    const by = decidedBy === undefined ? '' : ` by ${decidedBy}`
    const why = reason === undefined ? '' : `: ${reason}`
    output.line(plainLine(`State: ${state}${by}${why}`))
    output.line(`Hash of what is shown: ${plainLine(approval.shownHash)}`)
    return undefined
  },
}
