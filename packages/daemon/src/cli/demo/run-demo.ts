import { basename } from 'node:path'
import { startDemo } from '../../demo/start-demo.ts'
import { storyPrice } from '../../demo/story.ts'
import { makeDemoFolder } from '../../demo/workspace.ts'
import { createLog } from '../../log/create-log.ts'
import type { Client } from '../../protocol/client.ts'
import type { Daemon } from '../../start-daemon.ts'
import type { CommandContext } from '../command-context.ts'
import type { ExitName } from '../exit-codes.ts'
import { inspectorLink } from '../open/inspector-link.ts'
import { withProgress } from '../output/progress.ts'
import { reachWords } from '../reach-words.ts'
import { watchInterrupts } from '../turn/interrupts.ts'
import { watchSignals } from '../up/watch-signals.ts'
import { playStory } from './play-story.ts'

/** A daemon, a folder to play in, and a story; then it is yours. */
export async function runDemo(context: CommandContext): Promise<ExitName> {
  const { output, options, env } = context
  const folder = await makeDemoFolder()
  const ending = Promise.withResolvers<void>()
  const log = createLog({ level: 'warn' })
  const starting = startDemo(folder, {
    env,
    log,
    isOwnProcess: true,
    onShutdown: () => ending.resolve(),
  })
  const daemon = await withProgress(output, 'Starting', starting)
  // What is to be asked of this daemon has to name its state.
  const here = { ...context, options: options.with({ home: folder.home }) }
  const isOnce = options.flag('once')
  const interrupts = watchInterrupts(output)
  try {
    await introduce(here, daemon)
    if (!isOnce) await showWays(here, daemon)
    const { client } = daemon
    const exit = await playStory(here, { client, interrupts })
    await sumUp(here, client)
    if (interrupts.isInterrupted) return 'interrupted'
    if (exit !== 'ok') return 'failed'
    if (!isOnce) await stay(here, daemon, ending)
    return 'ok'
  } finally {
    await daemon.close({ graceMs: 1_000 })
    await folder.remove()
    interrupts.close()
  }
}

async function introduce(
  { output }: CommandContext,
  { workspace, client }: Daemon,
): Promise<void> {
  const { root } = workspace
  const { items } = await client.listHooks({})
  const ours = items.filter(({ source }) => source.kind === 'file')
  output.note(`An agent looks after a little shop in ${root}`)
  for (const { name, point, source } of ours) {
    output.note(`  ${name} judges ${point}  ${source.file}:${source.line}`)
  }
  output.note('These hooks came with the demo, so they are trusted.')
}

/** How to look on meanwhile, also where the story waits for an answer. */
async function showWays(
  context: CommandContext,
  daemon: Daemon,
): Promise<void> {
  const [node = '', file = ''] = process.argv
  // Whoever came by a script need not have a command of that name.
  if (basename(file) !== 'hookline') {
    const alias = `alias hookline="${node} ${file}"`
    context.output.note(`In other terminals, first: ${alias}`)
  }
  await showInspector(context, daemon)
}

async function showInspector(
  { output, options }: CommandContext,
  { client }: Daemon,
): Promise<void> {
  const { url, code } = await client.createLogin()
  if (url === undefined) return
  const later = `hookline open${reachWords(options)}`
  output.note(`In a browser, within a minute (later: ${later}):`)
  output.note(`  ${inspectorLink(url, code)}`)
}

/** What it came to: how often hooks ran, what was refused, what it cost. */
async function sumUp(
  { output }: CommandContext,
  client: Client,
): Promise<void> {
  const { items: sessions } = await client.listSessions({})
  const turns = await Promise.all(
    sessions.map(({ id }) => client.listTurns({ sessionId: id })),
  )
  const all = turns.flatMap(({ items }) => items)
  const sum = (pick: (turn: (typeof all)[number]) => number | null) =>
    all.reduce((total, turn) => total + (pick(turn) ?? 0), 0)
  const input = sum(({ inputTokens }) => inputTokens)
  const given = sum(({ outputTokens }) => outputTokens)
  const cost = (input * storyPrice.input + given * storyPrice.output) / 1e6
  const { items: runs } = await client.listRuns({ limit: 1_000 })
  const refused = runs.filter(({ answer }) => answer === 'reject')
  output.note('')
  output.note(
    `${all.length} turns, ${input + given} tokens, ${cost.toFixed(4)} $ at the prices of the story's model.`,
  )
  output.note(
    `${runs.length} runs of hooks are on record; ${refused.length} refused something:`,
  )
  for (const { hook, callId, id } of refused) {
    output.note(`  ${hook} at call ${callId ?? id}`)
  }
}

async function stay(
  context: CommandContext,
  daemon: Daemon,
  ending: PromiseWithResolvers<void>,
): Promise<void> {
  const { output, options } = context
  const reach = reachWords(options)
  output.note('')
  output.note('The daemon is still there. In another terminal:')
  output.note(`  hookline runs list${reach}`)
  output.note(`  hookline hooks explain tool.guard --tool shell${reach}`)
  output.note(`  hookline chat${reach}`)
  await showInspector(context, daemon)
  output.note('Ctrl-C ends it, and removes the folder.')
  const end = () => ending.resolve()
  const signals = watchSignals({ onEnd: end, onKill: end, onReload() {} })
  await ending.promise
  signals.close()
}
