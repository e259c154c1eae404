import { select, text } from '@clack/prompts'
import type { JsonObject } from 'hookline/lifecycle'
import type { Client } from '../../protocol/client.ts'
import type { ListedApproval } from '../../protocol/schemas/approvals.ts'
import { askedByHooks, canLast } from '../../protocol/words/asked-by-hooks.ts'
import { plainLine } from '../output/plain-text.ts'
import {
  answerApproval,
  describeOutcome,
  renderApproval,
} from './ask-approval.ts'
import { askQuestions } from './ask-questions.ts'
import type { AskedApproval, Asker } from './asking.ts'
import { askAt, type Terminal } from './terminal.ts'

/** Asks whoever sits at the terminal. */
export function createTerminalAsker(client: Client, terminal: Terminal): Asker {
  const say = (line: string) => void terminal.screen.write(`${line}\n`)
  const alone = async (work: () => Promise<void>) => {
    terminal.hold()
    try {
      await work()
    } finally {
      terminal.release()
    }
  }
  return {
    async askApproval({ id, args }: AskedApproval, signal) {
      const approval = await client.getApproval({ approvalId: id })
      await alone(async () => {
        say(renderApproval(approval))
        const answer = await chooseAnswer(terminal, { signal, approval, args })
        if (answer !== undefined) {
          const outcome = await answerApproval(client, approval, answer)
          if (outcome.type !== 'accepted') say(describeOutcome(outcome))
        } else if (signal.aborted) {
          say('It has been answered elsewhere.')
        } else {
          const { reach = '' } = terminal
          const command = `approvals answer ${plainLine(id)}${reach}`
          say(`It waits; answer with: hookline ${command}`)
        }
      })
    },
    async askQuestions(asked, signal) {
      await alone(() => askQuestions(client, { asked, terminal, signal }))
    },
  }
}

type Answer = Parameters<typeof answerApproval>[2]

interface Choosing {
  readonly signal: AbortSignal
  readonly approval: ListedApproval
  readonly args: JsonObject | undefined
}

async function chooseAnswer(
  terminal: Terminal,
  { signal, args, approval }: Choosing,
): Promise<Answer | undefined> {
  const again = askedByHooks(approval).join(', ')
  const hint = again === '' ? {} : { hint: plainLine(`${again} asks again`) }
  const choice = await askAt(terminal, signal, (common) =>
    select({
      ...common,
      message: 'May it?',
      options: [
        { value: 'once' as const, label: 'Yes, this time' },
        ...(canLast(approval)
          ? [
              {
                value: 'session' as const,
                label: 'Yes, this for the session',
                ...hint,
              },
              { value: 'always' as const, label: 'Yes, this always', ...hint },
            ]
          : []),
        { value: 'deny' as const, label: 'No' },
        ...(args === undefined
          ? []
          : [{ value: 'edit' as const, label: 'Change it first' }]),
        { value: 'later' as const, label: 'Decide later' },
      ],
    }),
  )
  if (choice === undefined || choice === 'later') return undefined
  if (choice === 'deny') {
    const reason = await askAt(terminal, signal, (common) =>
      text({
        ...common,
        message: 'Why not? The agent is told.',
        placeholder: 'No reason',
      }),
    )
    if (reason === undefined && signal.aborted) return undefined
    return { type: 'deny', ...(reason && { reason }) }
  }
  if (choice !== 'edit') return { type: 'allow', lasts: choice }
  const edited = await askAt(terminal, signal, (common) =>
    text({
      ...common,
      message: 'The arguments as they should be',
      initialValue: JSON.stringify(args),
      validate: (given) =>
        readObject(given) === undefined
          ? 'This is no object in JSON.'
          : undefined,
    }),
  )
  const changed = readObject(edited)
  return changed && { type: 'edit', args: changed }
}

function readObject(text = ''): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return undefined
    }
    return Object.fromEntries(Object.entries(value))
  } catch {
    return undefined
  }
}
