import type { Client } from '../../../protocol/client.ts'
import type { InputOf } from '../../../protocol/operations.ts'
import { CliError } from '../../cli-error.ts'
import type { Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import type { AskedQuestions } from '../../turn/asking.ts'

type Answers = NonNullable<InputOf<'answerQuestions'>['answers']>

export const answerCommand: Subcommand = {
  name: 'answer',
  summary: 'Answer what an agent wants to know.',
  arguments: [
    { name: '<call>', about: 'The call that the questions are part of.' },
    {
      name: '[answers…]',
      about:
        'As question=answer; without any, you are asked. Several options: with commas.',
    },
  ],
  options: [
    { flags: '--session <id>', about: 'Where calls of two have the same id.' },
    { flags: '--dismiss', about: 'Tell the agent that there is no answer.' },
    { flags: '--reason <text>', about: 'Why there is none.' },
  ],
  examples: [
    { command: 'hookline questions answer call-3', about: 'At the terminal.' },
    {
      command: 'hookline questions answer call-3 branch=main',
      about: 'In a script.',
    },
  ],
  async run(context) {
    const { options, output } = context
    const client = await context.connect()
    const [callId = '', ...words] = context.args
    const asked = await findAsked(client, callId, options.text('session'))
    const place = { sessionId: asked.sessionId, callId }
    if (words.length === 0 && !options.flag('dismiss')) {
      await askHere(context, client, asked)
      return undefined
    }
    const reason = options.text('reason')
    const receipt = await client.answerQuestions(
      options.flag('dismiss')
        ? { ...place, ...(reason !== undefined && { reason }) }
        : { ...place, answers: readWords(words, asked) },
    )
    if (output.isJson) output.json(receipt)
    else output.line(receipt.problem ?? `The answer is ${receipt.type}.`)
    return receipt.type === 'accepted' ? 'ok' : 'failed'
  },
}

async function findAsked(
  client: Client,
  callId: string,
  sessionId: string | undefined,
): Promise<AskedQuestions> {
  const { items } = await client.listQuestions(
    sessionId === undefined ? {} : { sessionId },
  )
  const found = items.filter((one) => one.callId === callId)
  const [first] = found
  if (first === undefined) {
    const message = `No question waits under "${callId}".`
    const hint = 'See what does: hookline questions'
    throw new CliError('not-found', message, { hint })
  }
  if (found.length === 1) return first
  throw new CliError('usage', `"${callId}" is a call of several sessions.`, {
    hint: 'Name one with --session.',
  })
}

/** Options by their labels; everything else is text. */
function readWords(
  words: readonly string[],
  { questions }: AskedQuestions,
): Answers {
  return words.map((word) => {
    const [, id, said] = /^([a-z0-9_-]{1,40})=(.*)$/s.exec(word) ?? []
    const question = questions.find((one) => one.id === id)
    if (id === undefined || said === undefined || question === undefined) {
      const ids = questions.map((one) => one.id).join(', ')
      throw new CliError('usage', `"${word}" answers none of the questions.`, {
        hint: `Write question=answer; the questions are: ${ids}.`,
      })
    }
    const labels = new Set(question.options?.map(({ label }) => label))
    if (labels.has(said)) return { id, selected: [said] }
    const parts = said.split(',').map((part) => part.trim())
    const areAll = parts.every((part) => labels.has(part))
    return areAll ? { id, selected: parts } : { id, text: said }
  })
}

async function askHere(
  { output }: CommandContext,
  client: Client,
  asked: AskedQuestions,
): Promise<void> {
  if (!output.isNoteTerminal || process.stdin.isTTY !== true) {
    throw new CliError('usage', 'Nobody can be asked: this is no terminal.', {
      hint: 'Write question=answer after the call.',
    })
  }
  const { askQuestions } = await import('../../turn/ask-questions.ts')
  await askQuestions(client, {
    asked,
    terminal: {
      input: process.stdin,
      screen: process.stderr,
      hold() {},
      release() {},
      onInterrupt() {},
    },
    signal: new AbortController().signal,
  })
}
