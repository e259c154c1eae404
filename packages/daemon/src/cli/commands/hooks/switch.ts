import type { Client } from '../../../protocol/client.ts'
import type { InputOf, OutputOf } from '../../../protocol/operations.ts'
import { CliError } from '../../cli-error.ts'
import type { Option, Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import { plainLine } from '../../output/plain-text.ts'
import { localTime } from '../../output/times.ts'
import { readTime } from '../runs/read-time.ts'

const untilOption: Option = {
  flags: '--until <time>',
  about: 'When it is as before: 30m, 2h, or a date.',
}
const reasonOption: Option = {
  flags: '--reason <text>',
  about: 'Why; it is kept.',
}
const names = {
  name: '[hook…]',
  about: 'Their names; that of a use stands for all of its hooks.',
}

export const enableCommand: Subcommand = {
  name: 'enable',
  summary: 'Switch hooks on that somebody has switched off.',
  arguments: [names],
  options: [
    { flags: '--all', about: 'End what "disable --all" began.' },
    reasonOption,
  ],
  examples: [
    { command: 'hookline hooks enable no-force-push', about: 'From now on.' },
  ],
  async run(context) {
    const { args, options, output } = context
    checkNames(context)
    const client = await context.connect()
    if (!options.flag('all')) return await setEach(context, true)
    const outcome = await client.enableAllHooks()
    if (output.isJson) output.json(outcome)
    else output.line('Hooks run again; what was switched one by one stays so.')
    noteProblem(context, outcome.problem)
    return args.length > 0 ? await setEach(context, true) : undefined
  },
}

export const disableCommand: Subcommand = {
  name: 'disable',
  summary: 'Switch hooks off, or all of them for some time.',
  about:
    'With --all no hook runs until then, and gates that are managed deny. This works with a hook that hangs; "hookline up --safe" starts so.',
  arguments: [names],
  options: [
    { flags: '--all', about: 'All of them; needs --until.' },
    untilOption,
    reasonOption,
  ],
  examples: [
    {
      command: 'hookline hooks disable slow-guard --until 2h',
      about: 'It is on again by itself.',
    },
    {
      command: 'hookline hooks disable call-limit',
      about: 'All hooks of that use, at once.',
    },
    {
      command:
        'hookline hooks disable --all --until 30m --reason "guard hangs"',
      about: 'Break the glass; it is on record.',
    },
  ],
  async run(context) {
    const { options, output } = context
    checkNames(context)
    if (!options.flag('all')) return await setEach(context, false)
    const until = readTime(options, 'until', { span: 'after' })
    if (until === undefined) {
      const message = 'All hooks are switched off for some time only.'
      const hint = 'Say until when: --until 30m'
      throw new CliError('usage', message, { hint })
    }
    const reason = options.text('reason')
    const client = await context.connect()
    const outcome = await client.disableAllHooks({
      until,
      ...(reason !== undefined && { reason }),
    })
    if (output.isJson) output.json(outcome)
    else {
      const { disabled, denying } = outcome
      output.line(
        `${disabled} hooks do not run until ${localTime(until)}; ${denying} managed gates deny meanwhile.`,
      )
    }
    noteProblem(context, outcome.problem)
    return undefined
  },
}

export const modeCommand: Subcommand = {
  name: 'mode',
  summary: 'Have a hook decide, or only be evaluated.',
  arguments: [
    { name: '<hook>', about: 'Its name, or that of a use.' },
    {
      name: '<mode>',
      about: 'evaluate: its answer is recorded and changes nothing.',
      choices: ['evaluate', 'enforce'],
    },
  ],
  options: [untilOption, reasonOption],
  examples: [
    {
      command: 'hookline hooks mode new-guard evaluate --until 7d',
      about: 'See what it would do for a week.',
    },
  ],
  async run(context) {
    const [name = '', given] = context.args
    const isEvaluated = given === 'evaluate'
    const mode = isEvaluated ? ('evaluate' as const) : ('enforce' as const)
    const client = await context.connect()
    const change = { mode, ...common(context) }
    const hooks = (await usesOf(client)).has(name)
      ? await setUse(client, { use: name, ...change })
      : [await client.setHook({ name, ...change })]
    for (const hook of hooks) {
      if (context.output.isJson) context.output.jsonLine(hook)
      else tell(context, hook)
    }
    noteProblem(context, hooks[0]?.problem)
    return undefined
  },
}

function checkNames({ args, options }: CommandContext): void {
  if (args.length > 0 || options.flag('all')) return
  throw new CliError('usage', 'It is not said which hooks.', {
    hint: 'Name them, or say --all; "hookline hooks list" says which there are.',
  })
}

async function setEach(
  context: CommandContext,
  isEnabled: boolean,
): Promise<undefined> {
  const { args, output } = context
  const client = await context.connect()
  const items: Switched[] = []
  const uses = await usesOf(client)
  for (const name of args) {
    const change = { isEnabled, ...common(context) }
    const hooks = uses.has(name)
      ? await setUse(client, { use: name, ...change })
      : [await client.setHook({ name, ...change })]
    for (const hook of hooks) {
      if (!output.isJson) tell(context, hook)
      items.push(hook)
    }
    noteProblem(context, hooks[0]?.problem)
  }
  if (output.isJson) output.json({ items })
  return undefined
}

async function usesOf(client: Client): Promise<ReadonlySet<string>> {
  const { items } = await client.listHooks({})
  return new Set(items.flatMap(({ source: { use } }) => use ?? []))
}

async function setUse(
  client: Client,
  change: InputOf<'setUse'>,
): Promise<readonly Switched[]> {
  const { items, problem } = await client.setUse(change)
  return items.map((hook) => ({ ...hook, ...(problem && { problem }) }))
}

function common({ options }: CommandContext) {
  const until = readTime(options, 'until', { span: 'after' })
  const reason = options.text('reason')
  return {
    ...(until !== undefined && { until }),
    ...(reason !== undefined && { reason }),
  }
}

type Switched = OutputOf<'setHook'>

function tell({ output, options }: CommandContext, hook: Switched): void {
  const { name, isEnabled, mode, disabledBy } = hook
  const until = readTime(options, 'until', { span: 'after' })
  const end = until === undefined ? '' : ` until ${localTime(until)}`
  const doing =
    mode === 'evaluate' ? 'is evaluated and decides nothing' : 'decides'
  // Who has switched it off says until when, too.
  const state = isEnabled
    ? `${doing}${end}`
    : `is off: ${disabledBy ?? 'it was switched off'}`
  output.line(`${plainLine(name)} ${plainLine(state)}.`)
}

/** It holds at once; whether a restart knows of it is another thing. */
function noteProblem(
  { output }: CommandContext,
  problem: string | undefined,
): void {
  if (problem === undefined || output.isJson) return
  output.note(
    `It holds, and is not kept yet: ${plainLine(problem)} It is tried again.`,
  )
}
