import type { Client } from '../../protocol/client.ts'
import { CliError } from '../cli-error.ts'
import type { Command, Option } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import type { Column } from '../output/table.ts'
import { age, exactTime } from '../output/times.ts'
import { pageInput, pageOptions, showPage } from '../paging.ts'

const spaceOptions: readonly Option[] = [
  {
    flags: '--agent <name>',
    about: 'Whose memories; default: the first agent.',
  },
  { flags: '--user <name>', about: 'What it remembers of this user.' },
]

type Memory = Awaited<ReturnType<Client['listMemories']>>['items'][number]

const columns: readonly Column<Memory>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'TEXT', value: ({ text }) => text, canShrink: true },
  { header: 'FROM', value: ({ origin }) => origin },
  {
    header: 'CHANGED',
    value: ({ updatedAt }) => age(updatedAt),
    exact: ({ updatedAt }) => exactTime(updatedAt),
  },
]

export const command: Command = {
  examples: [
    { command: 'hookline memory', about: 'What the first agent remembers.' },
    {
      command: 'hookline memory search "tabs or spaces"',
      about: 'What is closest.',
    },
    {
      command: 'hookline memory forget editor',
      about: 'One of them is removed.',
    },
  ],
  subcommands: [
    {
      name: 'list',
      summary: 'List what an agent remembers.',
      isDefault: true,
      options: [...spaceOptions, ...pageOptions],
      async run(context) {
        const { output, options } = context
        const client = await context.connect()
        const space = await spaceOf(client, context)
        const page = await client.listMemories({
          ...space,
          ...pageInput(options),
        })
        showPage(output, page, columns)
        return undefined
      },
    },
    {
      name: 'search',
      summary: 'Find what fits some words.',
      arguments: [{ name: '<words…>', about: 'What it is about.' }],
      options: [...spaceOptions, ...pageOptions.slice(0, 1)],
      async run(context) {
        const { args, output, options } = context
        const client = await context.connect()
        const { limit } = pageInput(options)
        const found = await client.searchMemories({
          ...(await spaceOf(client, context)),
          query: args.join(' '),
          ...(limit !== undefined && { limit }),
        })
        if (output.isJson) output.json(found)
        else output.table(found.items, columns)
        return undefined
      },
    },
    {
      name: 'forget',
      summary: 'Have an agent forget something.',
      arguments: [{ name: '<name>', about: 'The name of the memory.' }],
      options: spaceOptions,
      async run(context) {
        const { args, output } = context
        const client = await context.connect()
        const [name = ''] = args
        const space = await spaceOf(client, context)
        const { wasThere } = await client.forgetMemory({ ...space, name })
        if (!wasThere) {
          const message = `"${space.agent}" has no memory "${name}".`
          const hint = 'See what there is: hookline memory list'
          throw new CliError('not-found', message, { hint })
        }
        if (output.isJson) output.json({ wasThere })
        else output.line('It is forgotten.')
        return undefined
      },
    },
  ],
}

async function spaceOf(client: Client, { options }: CommandContext) {
  const user = options.text('user')
  const agent = options.text('agent') ?? (await firstAgent(client))
  return { agent, ...(user !== undefined && { user }) }
}

async function firstAgent(client: Client): Promise<string> {
  const { items } = await client.listAgents()
  const [first] = items
  if (first !== undefined) return first.name
  throw new CliError('not-found', 'There is no agent.', {
    hint: 'Write one into the configuration; "hookline init" shows how.',
  })
}
