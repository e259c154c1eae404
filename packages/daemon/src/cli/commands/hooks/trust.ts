import type { Client } from '../../../protocol/client.ts'
import type { OutputOf } from '../../../protocol/operations.ts'
import { CliError } from '../../cli-error.ts'
import type { Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import { brokenLinesOfProject } from '../../connect/broken-lines.ts'
import { withDaemon } from '../../connect/with-daemon.ts'
import type { Output } from '../../output/output.ts'
import { plainLine, plainText } from '../../output/plain-text.ts'

export const trustCommand: Subcommand = {
  name: 'trust',
  summary: 'Let hooks of the project run, after a look at them.',
  about:
    'What comes with a project does nothing until somebody trusts it: the definition, and the bytes of the files it names. A change needs another look.',
  arguments: [
    { name: '[hash…]', about: 'Which; without one, you are asked about each.' },
  ],
  options: [
    { flags: '--all', about: 'All that are listed.' },
    { flags: '-y, --yes', about: 'Do not ask; needs a hash or --all.' },
  ],
  examples: [
    { command: 'hookline hooks trust', about: 'Look at each, then decide.' },
    {
      command: 'hookline hooks trust <hash> --yes',
      about: 'Just what this is the hash of.',
    },
  ],
  run: (context) =>
    withDaemon(context, (client) => lookAndTrust(context, client)),
}

async function lookAndTrust(
  context: CommandContext,
  client: Client,
): Promise<undefined> {
  const { args, options, output } = context
  const { items } = await client.listUntrusted()
  await refuseBroken(context, client, items)
  const chosen = chooseNamed(context, items)
  if (chosen === undefined) return await askEach(context, client, items)
  if (!output.isJson) show(chosen, output)
  if (chosen.length === 0) {
    if (output.isJson) output.json({ trusted: 0, items: [] })
    else output.note(await whyNone(client))
    return undefined
  }
  if (!options.flag('yes')) {
    const what = args.length > 0 ? 'this' : `all ${chosen.length} of them`
    await confirmTrust(context, `Let ${what} run?`)
  }
  return await trust(context, client, chosen)
}

type Item = OutputOf<'listUntrusted'>['items'][number]

/** What is only half there is not trusted: as a whole it may be something else. */
async function refuseBroken(
  { output }: CommandContext,
  client: Client,
  items: readonly Item[],
): Promise<void> {
  const broken = await brokenLinesOfProject(client)
  if (broken.length === 0) return
  if (!output.isJson) show(items, output)
  const why = ['Nothing was trusted, as something is wrong:', ...broken].join(
    '\n',
  )
  throw new CliError('failed', why, {
    hint: 'Mend it; "hookline hooks lint <file>" says all that is wrong.',
  })
}

async function whyNone(client: Client): Promise<string> {
  const { sources } = await client.getConfig()
  const isThere = sources.some(
    ({ layer }) => layer === 'project' || layer === 'local',
  )
  return isThere
    ? 'All that came with this project is trusted already.'
    : 'Nothing came with this project.'
}

/** By hash, or all; undefined: nobody has said which. */
function chooseNamed(
  { args, options }: CommandContext,
  items: readonly Item[],
): readonly Item[] | undefined {
  if (options.flag('all')) return items
  if (args.length === 0 && !options.flag('yes')) return undefined
  if (args.length === 0) {
    throw new CliError('usage', 'It is not said what is to be trusted.', {
      hint: 'Name hashes, or say --all.',
    })
  }
  return args.map((hash) => {
    // Half a hash is enough for people, if it can be only one.
    const found = items.filter((item) => item.hash.startsWith(hash))
    const [only] = found
    if (found.length === 1 && only !== undefined && hash.length >= 8) {
      return only
    }
    const message = `"${hash}" is not the hash of anything that waits to be trusted.`
    const hint = 'See what does: hookline hooks trust'
    throw new CliError('not-found', message, { hint })
  })
}

async function askEach(
  context: CommandContext,
  client: Client,
  items: readonly Item[],
): Promise<undefined> {
  const { output } = context
  if (output.isJson) {
    output.json({ items })
    return undefined
  }
  if (items.length === 0) {
    output.note(await whyNone(client))
    return undefined
  }
  if (!isAtTerminal(output)) {
    show(items, output)
    output.note('Trust them with: hookline hooks trust <hash…> --yes')
    return undefined
  }
  const chosen: Item[] = []
  for (const item of items) {
    show([item], output)
    if (await askYes(`Let "${plainLine(item.name)}" run?`)) chosen.push(item)
  }
  if (chosen.length > 0) return await trust(context, client, chosen)
  output.note('Nothing was trusted.')
  return undefined
}

async function trust(
  { output }: CommandContext,
  client: Client,
  chosen: readonly Item[],
): Promise<undefined> {
  const hashes = chosen.map(({ hash }) => hash)
  const { trusted, refusal } = await client.trust({ hashes })
  if (output.isJson) {
    const items = chosen.map(({ hash, name }) => ({ hash, name }))
    output.json({ trusted, items, ...(refusal && { refusal }) })
  } else if (refusal === undefined) {
    output.line(
      trusted === 1
        ? '1 is trusted; it runs from now on.'
        : `${trusted} are trusted; they run from now on.`,
    )
  }
  if (refusal === undefined) return undefined
  const message = `It is trusted, and does not run yet: ${refusal}`
  throw new CliError('failed', message, {
    hint: 'What ran before goes on. See: hookline config check',
  })
}

function show(items: readonly Item[], output: Output): void {
  for (const item of items) output.line(`${renderItem(item, output)}\n`)
}

function renderItem(item: Item, output: Output): string {
  const { name, hash, file, state, shows } = item
  // What the daemon tells of it: the definition, and files by their hashes.
  const { text, files, unseen, problems }: Record<string, unknown> =
    Object(shows)
  const where = file === undefined ? '' : ` in ${plainLine(file)}`
  const lines = [
    `${output.style('bold', plainLine(name))}${where} (${plainLine(state)})`,
    `  hash ${plainLine(hash)}`,
    ...indented(typeof text === 'string' ? text : JSON.stringify(text)),
    ...listed('uses', files),
    ...listed('note', unseen),
    ...listed('problem', problems),
  ]
  return lines.join('\n')
}

function indented(text = ''): readonly string[] {
  return plainText(text)
    .split('\n')
    .map((line) => `  │ ${line}`)
}

function listed(word: string, list: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : []
  return items.map((item) => {
    const { path, file, hash }: Record<string, unknown> = Object(item)
    const named = path ?? file
    const told =
      typeof item === 'string'
        ? item
        : typeof named === 'string'
          ? `${named}${typeof hash === 'string' ? ` (${hash})` : ''}`
          : JSON.stringify(item)
    return `  ${word}: ${plainLine(told)}`
  })
}

function isAtTerminal(output: Output): boolean {
  return output.isNoteTerminal && process.stdin.isTTY === true
}

async function confirmTrust(
  { output }: CommandContext,
  question: string,
): Promise<void> {
  if (!isAtTerminal(output)) {
    const message = 'Nothing was trusted: nobody could be asked.'
    throw new CliError('usage', message, { hint: 'Say so with --yes.' })
  }
  if (await askYes(question)) return
  throw new CliError('interrupted', 'Nothing was trusted.')
}

async function askYes(message: string): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({
    message,
    initialValue: false,
    output: process.stderr,
  })
  if (isCancel(answer)) {
    throw new CliError('interrupted', 'Nothing was trusted.')
  }
  return answer
}
