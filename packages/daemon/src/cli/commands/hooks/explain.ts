import type { OutputOf } from '../../../protocol/operations.ts'
import type { Subcommand } from '../../command.ts'
import { noteBroken } from '../../connect/broken-lines.ts'
import { withDaemon } from '../../connect/with-daemon.ts'
import type { Output } from '../../output/output.ts'
import { plainLine } from '../../output/plain-text.ts'
import { sourceWords } from './list.ts'

export const explainCommand: Subcommand = {
  name: 'explain',
  summary: 'Show who is asked at a point, in which order, and why.',
  arguments: [{ name: '<point>', about: 'Such as tool.pre_call.' }],
  options: [
    { flags: '--tool <name>', about: 'For a call of this tool.' },
    { flags: '--args <json>', about: 'With these arguments.' },
    { flags: '--agent <name>', about: 'Of this agent; default: the first.' },
  ],
  examples: [
    {
      command: 'hookline hooks explain tool.pre_call --tool shell',
      about: 'Who has a say before a command runs.',
    },
    {
      command: `hookline hooks explain tool.guard --tool shell --args '{"command":"git push"}'`,
      about: 'Which of them this very call reaches.',
    },
  ],
  async run(context) {
    const { args, options, output } = context
    const agent = options.text('agent')
    const tool = options.text('tool')
    const callArgs = options.jsonObject('args')
    const plan = await withDaemon(context, async (client) => {
      await noteBroken(client, output)
      return await client.explainHooks({
        point: args[0] ?? '',
        ...(agent !== undefined && { agent }),
        ...(tool !== undefined && { tool }),
        ...(callArgs !== undefined && { args: JSON.stringify(callArgs) }),
      })
    })
    if (output.isJson) output.json(plan)
    else output.line(renderPlan(plan, { output, tool }))
    return undefined
  },
}

type Plan = OutputOf<'explainHooks'>
type Step = Plan['steps'][number]

interface PlanOptions {
  readonly output: Output
  readonly tool: string | undefined
}

function renderPlan(plan: Plan, { output, tool }: PlanOptions): string {
  const { point, agent, answers, contributions, flow, whenRefused, steps } =
    plan
  const bold = (text: string) => output.style('bold', plainLine(text))
  const of = tool === undefined ? '' : `, tool "${plainLine(tool)}"`
  const may = answers.length === 0 ? 'nothing, they only watch' : list(answers)
  return [
    `${bold(point)} of agent "${plainLine(agent)}"${of}`,
    `  Hooks run ${plainLine(flow)}.`,
    `  They may answer: ${may}. They may add: ${list(contributions) || 'nothing'}.`,
    `  A refusal leads to this: ${plainLine(whenRefused)}`,
    ...(steps.length === 0 ? ['', 'No hook is asked here.'] : []),
    ...steps.flatMap((step) => ['', ...renderStep(step, output)]),
  ].join('\n')
}

const matchWords: Readonly<Record<Step['matches'], string>> = {
  yes: 'runs for this',
  no: 'does not run for this',
  depends: 'runs if its matcher wants the call',
}

const matchStyles = { yes: 'green', no: 'dim', depends: 'yellow' } as const

function renderStep(step: Step, output: Output): readonly string[] {
  const { order, name, mode, matches, handler, execution, isManaged } = step
  const { because, matcher, mayAnswer, whenItFails } = step
  const title = `${order ?? '–'}. ${plainLine(name)}`
  const limit = step.timeoutMs === undefined ? '' : `, ${step.timeoutMs} ms`
  const marks = [
    ...(mode === 'evaluate' ? ['only evaluated'] : []),
    ...(isManaged ? ['managed'] : []),
  ]
  const marked = marks.length === 0 ? '' : ` [${marks.join(', ')}]`
  const lines = [
    ['order', because],
    ['matcher', matcher],
    ['handler', `${handler.kind} ${handler.id}, ${execution}${limit}`],
    ['from', sourceWords(step)],
    ['reaches', step.reaches],
    ['may', mayAnswer.join(', ') || 'only watch'],
    ['rights', step.capabilities.join(', ')],
    ['fails', whenItFails],
  ] as const
  return [
    `${output.style('bold', title)}${marked}  ${output.style(matchStyles[matches], matchWords[matches])}`,
    ...lines
      .filter(([, text]) => text !== '')
      .map(([word, text]) => {
        const head = output.style('dim', word.padEnd(7))
        return `   ${head}  ${plainLine(text)}`
      }),
  ]
}

function list(words: readonly string[]): string {
  return plainLine(words.join(', '))
}
