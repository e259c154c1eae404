import { resolve } from 'node:path'
import { owner } from '../../../protocol/caller.ts'
import type { InputOf, OutputOf } from '../../../protocol/operations.ts'
import { CliError } from '../../cli-error.ts'
import type { Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import { brokenLines } from '../../connect/broken-lines.ts'
import { connectRunning } from '../../connect/connect-running.ts'
import { explainError } from '../../explain-error.ts'
import { rootOption } from '../../global-options.ts'
import { plainLine } from '../../output/plain-text.ts'
import { withProgress } from '../../output/progress.ts'
import { renderFields } from '../../output/table.ts'
import { duration } from '../../output/times.ts'
import { aloneOption } from '../../turn/turn-options.ts'
import { readWanted } from './written-hook.ts'

export const testCommand: Subcommand = {
  name: 'test',
  summary: 'Ask a hook about something that never happened.',
  about:
    'The daemon of the project is asked, if one runs; else the hook is loaded for it. It is asked alone: no tool runs, nothing is kept, and nobody hears of the answer. What the hook itself does, it does.',
  arguments: [{ name: '<hook>', about: 'Its name, or a file that holds it.' }],
  options: [
    { flags: '--tool <name>', about: 'The tool that would be called.' },
    { flags: '--args <json>', about: 'With these arguments.' },
    {
      flags: '--safety <class>',
      about: 'How harmful the tool is; default: mutating.',
      choices: ['read_only', 'mutating', 'destructive', 'network'],
    },
    { flags: '--owner <name>', about: 'Whose tool it is; default: test.' },
    { flags: '--text <text>', about: 'What is said, or what a call gave.' },
    { flags: '--input <json>', about: 'All that the point is given.' },
    { flags: '--agent <name>', about: 'Whose it would be; default: main.' },
    { flags: '--hook <name>', about: 'Which one of a file with several.' },
    aloneOption,
    rootOption,
  ],
  examples: [
    {
      command: `hookline hooks test no-force-push --tool shell --args '{"command":"git push -f"}'`,
      about: 'Exit code 4: it refuses.',
    },
  ],
  async run(context) {
    const { output } = context
    const work = askHook(context, await readMoment(context))
    const trial = await withProgress(output, 'Asking it', work)
    if (output.isJson) output.json(trial)
    else output.line(renderTrial(trial, context))
    const { answer, failure } = trial.answer ?? {}
    if (failure !== undefined) return 'failed'
    return answer === 'reject' || answer === 'endTurn' ? 'refused' : 'ok'
  },
}

type Trial = OutputOf<'testHook'>

/** Asks the daemon that runs for this project, or hooks that are loaded for it. */
async function askHook(
  context: CommandContext,
  moment: InputOf<'testHook'>,
): Promise<Trial> {
  const client = await connectRunning(context)
  if (client === undefined) return await askHere(context, moment)
  try {
    return await client.testHook(moment)
  } catch (error) {
    throw await withBroken(error, client)
  } finally {
    client.close()
  }
}

async function askHere(
  { options, env }: CommandContext,
  moment: InputOf<'testHook'>,
): Promise<Trial> {
  const { openOperations } = await import('../../../open-operations.ts')
  const { createLog } = await import('../../../log/create-log.ts')
  const { scriptedModels } = await import('../../connect/scripted-models.ts')
  const home = options.text('home')
  const models = await scriptedModels(env)
  const { operations, close } = await openOperations({
    root: resolve(options.text('root') ?? '.'),
    env,
    log: createLog({ level: 'error' }),
    isOwnProcess: true,
    ...(home !== undefined && { home }),
    ...(models !== undefined && { models }),
  })
  const { signal } = new AbortController()
  try {
    return await operations.testHook(moment, { caller: owner, signal })
  } catch (error) {
    const getConfig = async () =>
      operations.getConfig({}, { caller: owner, signal })
    throw await withBroken(error, { getConfig })
  } finally {
    await close()
  }
}

/** A hook that is not found may be in a file that is wrong. */
async function withBroken(
  error: unknown,
  client: Parameters<typeof brokenLines>[0],
): Promise<unknown> {
  const { exit, message } = explainError(error)
  if (exit !== 'not-found') return error
  const broken = await brokenLines(client)
  if (broken.length === 0) return error
  const hint = ['It may be in a file that is wrong:', ...broken].join('\n')
  return new CliError(exit, message, { hint, cause: error })
}

async function readMoment({
  args,
  options,
}: CommandContext): Promise<InputOf<'testHook'>> {
  const given = {
    ...(await readWanted(args[0] ?? '', { named: options.text('hook') })),
    agent: options.text('agent'),
    input: options.jsonObject('input'),
    tool: options.text('tool'),
    args: options.jsonObject('args'),
    safety: options.text('safety'),
    owner: options.text('owner'),
    text: options.text('text'),
  }
  const there = Object.entries(given).filter(([, value]) => value !== undefined)
  // What may be chosen for --safety is what the protocol takes.
  return Object.fromEntries(there) as InputOf<'testHook'>
}

function renderTrial(
  { hook, point, answer }: Trial,
  { output }: CommandContext,
): string {
  const style = (...given: Parameters<typeof output.style>) =>
    output.style(...given)
  const head = `${style('bold', plainLine(hook))} at ${plainLine(point)}`
  if (answer === undefined) {
    return `${head}\nIts matcher does not want this; it would not run.`
  }
  const { answer: said, failure, policy, reason, result, latencyMs } = answer
  const fields = renderFields(
    [
      ['answer', said ?? (failure === undefined ? 'proceed' : undefined)],
      ['reason', reason],
      ['result', result === undefined ? undefined : JSON.stringify(result)],
      ['failure', failure && `${failure.code}: ${failure.message}`],
      ...answer.diagnostics.map(
        ({ code, message }) => ['note', `${code}: ${message}`] as const,
      ),
      ['so', policy && `its policy is "${policy}"`],
      ['adds', answer.contributions.join(', ')],
      ['took', duration(latencyMs)],
    ],
    style,
  )
  return `${head}\n${fields}`
}
