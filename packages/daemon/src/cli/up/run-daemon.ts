import { resolve } from 'node:path'
import { inspectOwn } from '../../reload/new-hooks.ts'
import type { Daemon } from '../../start-daemon.ts'
import type { CommandContext } from '../command-context.ts'
import { noteBroken } from '../connect/broken-lines.ts'
import { readyModels } from '../connect/scripted-models.ts'
import type { ExitName } from '../exit-codes.ts'
import { explainError } from '../explain-error.ts'
import { plainLine } from '../output/plain-text.ts'
import { withProgress } from '../output/progress.ts'
import { watchSignals } from './watch-signals.ts'

/** Runs a daemon until somebody says that it is enough. */
export async function runDaemon(context: CommandContext): Promise<ExitName> {
  const { output } = context
  const ending = Promise.withResolvers<number | undefined>()
  let daemon: Daemon | undefined
  // Signals count from the beginning: one of them may come while it starts.
  const signals = watchSignals({
    onEnd: () => {
      output.note('Turns may end first; once more to end them.')
      ending.resolve(undefined)
    },
    // What was begun goes on when the daemon is started again.
    onKill: () => process.exit(1),
    onReload: () => daemon && reload(context, daemon),
  })
  try {
    daemon = await start(context, ending.resolve)
    tellPlaces(context, daemon)
    await noteBroken(daemon.client, output)
    await tellNew(context, daemon)
    const wanted = await ending.promise
    const end = daemon.close(wanted === undefined ? {} : { graceMs: wanted })
    await withProgress(output, 'Waiting for turns to end', end)
  } finally {
    signals.close()
  }
  if (!output.isJson) output.note('The daemon has stopped.')
  return 'ok'
}

async function start(
  { options, env }: CommandContext,
  onShutdown: (graceMs: number) => void,
): Promise<Daemon> {
  const port = options.number('tcp', { max: 65_535 })
  const home = options.text('home')
  const graceMs = options.durationMs('grace')
  const models = await readyModels(env)
  const { startDaemon } = await import('../../start-daemon.ts')
  return await startDaemon({
    root: resolve(options.text('root') ?? '.'),
    ...(home !== undefined && { home }),
    ...(options.flag('safe') && { safe: true }),
    ...(port !== undefined && { tcp: { host: '127.0.0.1', port } }),
    ...(graceMs !== undefined && { graceMs }),
    inspector: options.flag('inspector'),
    isOwnProcess: true,
    ...(models !== undefined && { models }),
    onShutdown,
  })
}

function tellPlaces({ output }: CommandContext, daemon: Daemon): void {
  const { addresses, workspace } = daemon
  const { root, home, isSafe, hooks } = workspace
  if (output.isJson) {
    const { pid } = process
    output.jsonLine({ type: 'up', pid, root, home, isSafe, ...addresses })
    return
  }
  const { socket, url } = addresses
  output.line(`The daemon runs for ${plainLine(root)}`)
  if (socket !== undefined) output.line(`  socket     ${plainLine(socket)}`)
  if (url !== undefined) {
    output.line(`  address    ${plainLine(url)}`)
    output.note('  "hookline open" shows it in a browser.')
  }
  if (isSafe) {
    const text = 'Safe mode: managed gates deny, and no other hook runs.'
    output.note(output.noteStyle('yellow', text))
  }
  const { untrusted } = hooks.state
  if (untrusted.length > 0) {
    output.note(
      `${untrusted.length} hooks of the project do nothing until you trust them: hookline hooks trust`,
    )
  }
}

/** Hooks of the user that were not there when somebody last sat here. */
async function tellNew(
  { output }: CommandContext,
  { workspace }: Daemon,
): Promise<void> {
  const inspection = inspectOwn(workspace)
  for (const { name, hash, isNew } of inspection.items) {
    if (!isNew) continue
    output.note(
      `New among your own hooks: ${plainLine(name)} (${hash.slice(0, 16)}). Remove it if it is not yours.`,
    )
  }
  if (!output.isNoteTerminal) return
  try {
    await workspace.hooks.trust.remember(inspection)
  } catch (error) {
    output.note(plainLine(explainError(error).message))
  }
}

function reload({ output }: CommandContext, { workspace }: Daemon): void {
  workspace.reload().then(
    ({ refusal }) => {
      if (refusal === undefined)
        output.note('The configuration was read again.')
      else output.note(`What was loaded earlier stays: ${plainLine(refusal)}`)
    },
    (error: unknown) => output.note(plainLine(explainError(error).message)),
  )
}
