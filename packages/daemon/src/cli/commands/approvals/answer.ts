import type { Client } from '../../../protocol/client.ts'
import type { ListedApproval } from '../../../protocol/schemas/approvals.ts'
import { CliError } from '../../cli-error.ts'
import type { Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import type { ExitName } from '../../exit-codes.ts'
import { reachWords } from '../../reach-words.ts'
import {
  type AnswerOutcome,
  answerApproval,
  describeOutcome,
  renderApproval,
} from '../../turn/ask-approval.ts'

const decisions = ['allow', 'deny', 'edit'] as const
const spans = ['once', 'session', 'always'] as const
const covered = ['arguments', 'tool'] as const

export const answerCommand: Subcommand = {
  name: 'answer',
  summary: 'Answer what an agent asks to do.',
  arguments: [
    { name: '<approval>', about: 'Its id.' },
    {
      name: '[decision]',
      about: 'Without one, you are shown what it is about, and asked.',
      choices: decisions,
    },
  ],
  options: [
    { flags: '--reason <text>', about: 'Why; the agent is told.' },
    { flags: '--lasts <span>', about: 'How long a yes holds.', choices: spans },
    {
      flags: '--covers <what>',
      about: 'What a lasting yes is for: the same arguments, or any.',
      choices: covered,
    },
    {
      flags: '--args <json>',
      about: 'The arguments as they are to be, for edit.',
    },
    {
      flags: '--shown-hash <hash>',
      about: 'Only if this is still what is shown; see "approvals show".',
    },
  ],
  examples: [
    {
      command: 'hookline approvals answer <approval>',
      about: 'Look, then decide.',
    },
    {
      command: 'hookline approvals answer <approval> allow --lasts session',
      about: 'The same call may be made again in this session.',
    },
    {
      command:
        'hookline approvals answer <approval> deny --reason "Not on Friday"',
      about: 'The agent is told why.',
    },
  ],
  async run(context) {
    const client = await context.connect()
    const [approvalId = '', decision] = context.args
    const approval = await client.getApproval({ approvalId })
    if (decision === undefined) return await ask(context, client, approval)
    const { output, options } = context
    const given = options.text('shownHash')
    if (!output.isJson) output.note(renderApproval(approval))
    const outcome = await answerApproval(
      client,
      { id: approvalId, shownHash: given ?? approval.shownHash },
      answerOf(decision, context),
    )
    return tell(context, outcome)
  },
}

function answerOf(
  decision: string,
  { options }: CommandContext,
): Parameters<typeof answerApproval>[2] {
  const type = oneOf(decisions, decision)
  const reason = options.text('reason')
  const lasts = oneOf(spans, options.text('lasts'))
  const covers = oneOf(covered, options.text('covers'))
  const args = options.jsonObject('args')
  if (type === undefined) throw new CliError('usage', 'Allow, deny or edit?')
  if ((type === 'edit') !== (args !== undefined)) {
    const message = 'An edit, and nothing else, takes the new arguments.'
    const hint = `For example: edit --args '{"path":"notes.md"}'`
    throw new CliError('usage', message, { hint })
  }
  return {
    type,
    ...(reason !== undefined && { reason }),
    ...(lasts !== undefined && { lasts }),
    ...(covers !== undefined && { covers }),
    ...(args !== undefined && { args }),
  }
}

async function ask(
  { options, output }: CommandContext,
  client: Client,
  approval: ListedApproval,
): Promise<ExitName> {
  if (approval.state !== 'pending') {
    output.line(renderApproval(approval))
    throw new CliError(
      'failed',
      `Approval "${approval.id}" is ${approval.state} already.`,
    )
  }
  if (!output.isNoteTerminal || process.stdin.isTTY !== true) {
    throw new CliError('usage', 'Nobody can be asked: this is no terminal.', {
      hint: 'Say allow, deny or edit after the id.',
    })
  }
  const { createTerminalAsker } = await import('../../turn/terminal-asker.ts')
  const asker = createTerminalAsker(client, {
    reach: reachWords(options),
    input: process.stdin,
    screen: process.stderr,
    hold() {},
    release() {},
    onInterrupt() {},
  })
  await asker.askApproval({ id: approval.id }, new AbortController().signal)
  const { state } = await client.getApproval({ approvalId: approval.id })
  return state === 'pending' ? 'interrupted' : 'ok'
}

function tell({ output }: CommandContext, outcome: AnswerOutcome): ExitName {
  if (output.isJson) output.json(outcome)
  else output.line(describeOutcome(outcome))
  const { type } = outcome
  if (type === 'accepted' || type === 'counted' || type === 'repeated') {
    return 'ok'
  }
  return type === 'refused' ? 'refused' : 'failed'
}

function oneOf<const T extends string>(
  all: readonly T[],
  given: string | undefined,
): T | undefined {
  return all.find((one) => one === given)
}
