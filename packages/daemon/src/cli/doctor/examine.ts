import { resolve } from 'node:path'
import type { CommandContext } from '../command-context.ts'
import { brokenLines } from '../connect/broken-lines.ts'
import { connectOrStart } from '../connect/connect-or-start.ts'
import type { ExitName } from '../exit-codes.ts'
import { explainError } from '../explain-error.ts'
import { plainLine } from '../output/plain-text.ts'
import { withProgress } from '../output/progress.ts'
import { type Check, failure, ok } from './check.ts'
import { checkConfig } from './check-config.ts'
import { checkMachine } from './check-machine.ts'

/** Looks at everything, and says what it found. */
export async function examine(context: CommandContext): Promise<ExitName> {
  const { options, env, output } = context
  const root = resolve(options.text('root') ?? '.')
  const home = options.text('home')
  const look = async () => [
    ...(await checkMachine({ home, env })),
    ...(await checkConfig({ root, home, env })),
    ...(await checkHooks(context)),
  ]
  const checks = eachOnce(await withProgress(output, 'Looking', look()))
  if (output.isJson) output.json({ checks })
  else {
    for (const check of summed(checks)) output.line(render(check, context))
    if (checks.some(isUntrusted)) output.line(trustHint)
  }
  const isBad = checks.some(({ level }) => level === 'error')
  return isBad ? 'failed' : 'ok'
}

async function checkHooks(context: CommandContext): Promise<readonly Check[]> {
  try {
    const connection = await connectOrStart(context, 'look')
    const { client, isEmbedded } = connection
    try {
      const { items } = await client.checkHooks()
      const listed = (await client.listHooks({})).items
      const ofPlugins = new Set(
        listed.filter(({ source }) => source.kind === 'plugin').map(named),
      )
      const hooks = items.flatMap(({ hook, checks }): readonly Check[] => {
        const all = checks.filter(({ level }) => level !== 'ok')
        // Whoever reads that nobody trusts it knows why it does not run.
        const isKnown = all.some(({ name }) => name === 'trust')
        const bad = all.filter(({ name }) => !isKnown || name !== 'switch')
        const shown = bad.map(({ level, name, message }) => ({
          name: `hook ${hook}`,
          level,
          ...(name === 'trust' && { isUntrusted: true }),
          message: `${name}: ${message}`,
        }))
        const { length } = checks
        const count = length === 1 ? '1 check' : `${length} checks`
        if (shown.length > 0) return shown
        const well = ok(`hook ${hook}`, count)
        return ofPlugins.has(hook) ? [{ ...well, isRoutine: true }] : [well]
      })
      const who = isEmbedded ? 'starts; none runs now' : 'runs'
      const broken = await brokenLines(client)
      const files = broken.map((line) => failure('config', line))
      return [...files, ok('daemon', who), ...hooks]
    } finally {
      await connection.close()
    }
  } catch (error) {
    const { message, hint = '' } = explainError(error)
    return [failure('daemon', `${message} ${hint}`)]
  }
}

/** Files are looked at before, and by the daemon. */
function eachOnce(checks: readonly Check[]): readonly Check[] {
  const keyOf = ({ name, message }: Check) => `${name}: ${message}`
  return [...new Map(checks.map((check) => [keyOf(check), check])).values()]
}

const trustHint =
  '  "hookline hooks trust" shows what nobody trusts yet, and asks about it.'

const isUntrusted = ({ isUntrusted: is = false }: Check) => is

const named = ({ name }: { readonly name: string }) => name

/** What plugins bring with them is told in one line, where all is well. */
function summed(checks: readonly Check[]): readonly Check[] {
  const routine = checks.filter(({ isRoutine = false }) => isRoutine)
  const others = checks.filter(({ isRoutine = false }) => !isRoutine)
  if (routine.length === 0) return others
  const message = `${routine.length} looked at, nothing is wrong`
  return [...others, ok('hooks of plugins', message)]
}

const signs = { ok: '✓', warning: '!', error: '✗' }
const styles = { ok: 'green', warning: 'yellow', error: 'red' } as const

function render(
  { name, level, message }: Check,
  { output }: CommandContext,
): string {
  const sign = output.style(styles[level], signs[level])
  return `${sign} ${output.style('bold', plainLine(name))}: ${plainLine(message)}`
}
