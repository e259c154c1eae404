import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { findStore } from '../connect/find-store.ts'
import { rootOption } from '../global-options.ts'
import { plainLine } from '../output/plain-text.ts'
import { withProgress } from '../output/progress.ts'

export const command: Command = {
  about:
    'No daemon may use the store meanwhile. What is there is never lost: it has to be empty, or is moved aside, a Postgres to another schema. It is made beside it, and takes its place when it is whole. What people had agreed to before the backup counts no more.',
  arguments: [{ name: '<file>', about: 'What "hookline backup" has written.' }],
  options: [
    {
      flags: '--replace',
      about: 'Move what is there aside; it is kept under another name.',
    },
    rootOption,
  ],
  examples: [
    {
      command: 'hookline restore hookline-backup.db --replace',
      about: 'Back to what it was; what was there is beside it.',
    },
  ],
  async run(context) {
    const { args, options, env, output } = context
    const from = resolve(args[0] ?? '')
    if (!existsSync(from)) {
      throw new CliError('not-found', `There is no file "${from}".`)
    }
    const { openHome } = await import('../../server/home.ts')
    const home = await openHome({ path: options.text('home'), env })
    // Whoever writes to what is replaced writes into nothing.
    const lock = await home.lock()
    try {
      const outcome = await restore(context, from)
      if (output.isJson) output.json(outcome)
      else tell(context, outcome)
    } finally {
      lock.release()
    }
    return undefined
  },
}

interface Restored {
  readonly from: string
  readonly to: string
  /** What was there before, under its new names. */
  readonly moved: readonly string[]
}

async function restore(
  context: CommandContext,
  from: string,
): Promise<Restored> {
  const { options, output } = context
  const found = await findStore(context)
  const { restoreBackup } = await import('@hookline/agent/durable')
  try {
    const store = await found.options()
    const replaces = options.flag('replace')
    const work = restoreBackup(from, { store, replaces })
    const { moved } = await withProgress(output, 'Restoring', work)
    return { from, to: found.file ?? found.place, moved }
  } catch (error) {
    throw explain(error)
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const { code, message } = error
  if (code === 'exists') {
    return new CliError('failed', message, {
      hint: 'Move it aside with --replace, or name another home with --home.',
      cause: error,
    })
  }
  if (code === 'busy') return new CliError('taken', message, { cause: error })
  return error
}

function tell({ output }: CommandContext, { from, to, moved }: Restored): void {
  output.line(plainLine(`${to} is as ${from} has it.`))
  for (const name of moved) {
    output.line(plainLine(`What was there is ${name}.`))
  }
  output.note(
    'Approvals from before count no more. If records were made since the backup, "hookline audit verify" says that they are not there.',
  )
}
