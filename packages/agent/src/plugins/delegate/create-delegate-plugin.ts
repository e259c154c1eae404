import { compileCondition, HookError } from 'hookline'
import type {
  AgentConfig,
  DelegatedResult,
  DelegatedTask,
  HandedOn,
  ToolContext,
  ToolErrorKind,
  ToolResult,
  TurnStatus,
} from 'hookline/lifecycle'
import {
  AgentError,
  definePlugin,
  defineTool,
  type Plugin,
  type PluginHost,
} from '../../index.ts'
import { readTasks, taskSchema } from './tasks.ts'

export interface DelegatePluginOptions {
  /** How many tasks one call may hand on, which run at the same time; default 8. */
  readonly maxTasks?: number
  /** Whether a model may describe an agent that is made for a task; default true. */
  readonly mayDescribe?: boolean
  /**
   * Whether a model may hand tasks on without waiting for them. Only for a
   * runtime that has somebody who brings the results; default false.
   */
  readonly hasBackground?: boolean
}

const usage =
  'Use `delegate` to have other agents work on tasks at the same time. Each works in a conversation of its own and knows only what its task says, so say all that it needs. You get what each of them answers, or why it could not.'

const later =
  ' With `background` you do not wait: each task goes on behind you, and you are told what it came to in a turn of its own.'

/** A tool that hands tasks on to other agents. */
export function createDelegatePlugin({
  maxTasks = 8,
  mayDescribe = true,
  hasBackground = false,
}: DelegatePluginOptions = {}): Plugin {
  const known = new Map<string, AgentConfig>()
  let host: PluginHost | undefined

  /** The others' lists are out of date as soon as one comes or goes. */
  const tellOthers = ({ isEphemeral, description }: AgentConfig) => {
    if (!isEphemeral && description !== undefined) void host?.rebuild()
  }

  const delegate = defineTool({
    name: 'delegate',
    description:
      'Has other agents work on tasks, all at the same time, and waits for what they answer.',
    input: taskSchema({ maxTasks, mayDescribe, hasBackground }),
    // What the others do is judged call by call, as if it were done here.
    safety: 'read_only',
    async execute(args, context) {
      const model = known.get(context.scope.agent)?.model
      const tasks = readTasks(args, { model })
      if (args['background'] === true) return await handOnAll(tasks, context)
      const work = tasks.map(async (task): Promise<DelegatedResult> => {
        try {
          return await context.delegate(task)
        } catch (error) {
          // What became of one task is no reason to lose the others.
          return { status: 'failed', reply: [], reason: reasonOf(error) }
        }
      })
      const results = await Promise.all(work)
      const texts = results.map((one, index) => render(one, index + 1))
      return resultOf(
        texts.join('\n\n'),
        results.map(({ status }) => status),
      )
    },
  })

  return definePlugin({
    name: 'delegate',
    tools: [delegate],
    setup: (given) => {
      if (hasBackground && !given.hasBackground) {
        const message =
          'Nobody would bring what tasks in the background come to: give the runtime `background`, or leave `hasBackground` out.'
        throw new AgentError('invalid-config', message)
      }
      host = given
    },
    scopedTools: ({ subagents }) => ({
      tools: subagents?.length === 0 ? [] : ['delegate'],
    }),
    prompt: ({ subagents }) => {
      if (subagents?.length === 0) return undefined
      return hasBackground ? `${usage}${later}` : usage
    },
    resources: ({ name, subagents }) => {
      const isAllowed = compileCondition(subagents ?? ['*'])
      const others = [...known.values()].filter(
        (one) => one.name !== name && isAllowed(one.name),
      )
      const lines = others.flatMap((one) =>
        one.description === undefined || one.isEphemeral
          ? []
          : [`- ${one.name}: ${oneLine(one.description)}`],
      )
      if (lines.length === 0) return undefined
      return `<agents>\n${lines.sort().join('\n')}\n</agents>`
    },
    register: (config) => {
      known.set(config.name, config)
      tellOthers(config)
    },
    unregister: (config) => {
      known.delete(config.name)
      tellOthers(config)
    },
  })
}

/** One after the other: what is refused says why, and the rest is begun. */
async function handOnAll(
  tasks: readonly DelegatedTask[],
  context: ToolContext,
): Promise<ToolResult | string> {
  const all: HandedOn[] = []
  for (const task of tasks) all.push(await context.handOn(task))
  const lines = all.map((handed, index) => {
    const what =
      handed.type === 'begun'
        ? `has begun in the background, with the id ${handed.id}.`
        : `was refused: ${handed.reason}`
    return `Task ${index + 1} ${what}`
  })
  const text = lines.join('\n')
  const isAny = all.some(({ type }) => type === 'begun')
  if (!isAny) return failure(text, 'denied')
  return `${text}\nYou are told what each of them comes to, one by one, each in a turn of its own; do not wait or ask for it.`
}

/** Nothing came of it: an error. Where something did, the rest is said beside. */
function resultOf(
  text: string,
  statuses: readonly TurnStatus[],
): ToolResult | string {
  if (statuses.includes('succeeded')) return text
  const isRefused = statuses.every((status) => status === 'rejected')
  return failure(text, isRefused ? 'denied' : 'tool')
}

function failure(text: string, error: ToolErrorKind): ToolResult {
  return { content: [{ type: 'text', text }], isError: true, error }
}

/** Models repeat what they are told, so that it has no names of hooks. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It failed.'
  const isNamed = error instanceof HookError && error.hook !== undefined
  return isNamed
    ? error.message.replace(`Hook "${error.hook}"`, 'A hook')
    : error.message
}

function oneLine(text: string): string {
  return text.replace(/[\s<>]+/g, ' ').slice(0, 300)
}

function render({ status, reply, reason }: DelegatedResult, number: number) {
  const words = reply.flatMap((block) =>
    block.type === 'text' ? [block.text] : [],
  )
  // None of them speaks for another.
  const said = words
    .join('\n')
    .trim()
    .replace(/^(?=\s*task \d)/gim, '> ')
  const why = reason === undefined ? '' : `: ${reason}`
  const head = `Task ${number} ${status}${status === 'succeeded' ? '.' : why}`
  return said === '' ? head : `${head}\n${said}`
}
