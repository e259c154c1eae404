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
    onShutdown: () => ending.resolve(),
  })
  const daemon = await withProgress(output, 'Starting', starting)
  try {
    await introduce(context, daemon)
    const isWell = await playStory(context, daemon.client)
    await sumUp(context, daemon.client)
    if (!isWell) return 'failed'
    if (!options.flag('once')) await stay(context, daemon, ending)
    return 'ok'
  } finally {
    await daemon.close({ graceMs: 1_000 })
    await folder.remove()
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
  { output }: CommandContext,
  { client, workspace }: Daemon,
  ending: PromiseWithResolvers<void>,
): Promise<void> {
  const at = `--home ${workspace.home}`
  output.note('')
  output.note('The daemon is still there. In another terminal:')
  output.note(`  hookline runs list ${at}`)
  output.note(`  hookline hooks explain tool.guard --tool shell ${at}`)
  output.note(`  hookline chat ${at}`)
  const { url, code } = await client.createLogin()
  if (url !== undefined) {
    output.note('In a browser, within a minute (later: hookline open):')
    output.note(`  ${inspectorLink(url, code)}`)
  }
  output.note('Ctrl-C ends it, and removes the folder.')
  const end = () => ending.resolve()
  const signals = watchSignals({ onEnd: end, onKill: end, onReload() {} })
  await ending.promise
  signals.close()
}
