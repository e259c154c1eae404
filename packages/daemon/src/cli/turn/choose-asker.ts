import type { Client } from '../../protocol/client.ts'
import { CliError } from '../cli-error.ts'
import type { CommandContext } from '../command-context.ts'
import { plainLine } from '../output/plain-text.ts'
import { reachWords } from '../reach-words.ts'
import { answerApproval } from './ask-approval.ts'
import type { Asker } from './asking.ts'

export interface AskerParts {
  readonly client: Client
  /** The daemon is within this process: other commands find none. */
  readonly isEmbedded: boolean
  readonly hold: () => void
  readonly release: () => void
  readonly onInterrupt: () => void
}

/** Who answers what an agent asks, as the options and the terminal say. */
export async function chooseAsker(
  { options, output }: Pick<CommandContext, 'options' | 'output'>,
  parts: AskerParts,
): Promise<Asker> {
  const isTerminal = output.isNoteTerminal && process.stdin.isTTY === true
  const byDefault = isTerminal && !output.isJson ? 'ask' : 'wait'
  const reach = reachWords(options)
  const how = options.text('whenAsked') ?? byDefault
  if (how === 'deny') return denyingAsker(parts.client)
  if (how === 'wait') {
    return waitingAsker((what, command) => {
      const first = `Start "hookline up${reach}" in another terminal, then`
      const way = parts.isEmbedded ? `. ${first}` : ''
      output.note(`It waits for ${what}${way}: hookline ${command}${reach}`)
    })
  }
  if (!isTerminal) {
    const message = 'Nobody can be asked: this is no terminal.'
    const hint = 'Use --when-asked wait or --when-asked deny.'
    throw new CliError('usage', message, { hint })
  }
  const { createTerminalAsker } = await import('./terminal-asker.ts')
  return createTerminalAsker(parts.client, {
    ...parts,
    reach,
    input: process.stdin,
    screen: process.stderr,
  })
}

function waitingAsker(note: (what: string, command: string) => void): Asker {
  return {
    async askApproval({ id }) {
      note('a yes', `approvals answer ${plainLine(id)} allow`)
    },
    async askQuestions({ callId }) {
      note('answers', `questions answer ${plainLine(callId)}`)
    },
  }
}

function denyingAsker(client: Client): Asker {
  const reason = 'Nobody is there to be asked.'
  return {
    async askApproval({ id }) {
      const approval = await client.getApproval({ approvalId: id })
      await answerApproval(client, approval, { type: 'deny', reason })
    },
    async askQuestions({ sessionId, callId }) {
      await client.answerQuestions({ sessionId, callId, reason })
    },
  }
}
