import type { Command } from '../command.ts'
import { plainText } from '../output/plain-text.ts'
import { renderFields } from '../output/table.ts'

export const command: Command = {
  examples: [
    { command: 'hookline agents', about: 'All agents, with their models.' },
    { command: 'hookline agents show helper', about: 'One, as it was built.' },
  ],
  subcommands: [
    {
      name: 'list',
      summary: 'List all agents.',
      isDefault: true,
      async run({ connect, output }) {
        const client = await connect()
        const { items } = await client.listAgents()
        if (output.isJson) output.json({ items })
        else {
          output.table(items, [
            { header: 'AGENT', value: ({ name }) => name },
            { header: 'MODEL', value: ({ model }) => model },
            {
              header: 'TOOLS',
              value: ({ tools }) => tools?.length ?? 'all',
              align: 'right',
            },
            {
              header: 'ABOUT',
              value: ({ description }) => description,
              canShrink: true,
            },
          ])
        }
        return undefined
      },
    },
    {
      name: 'show',
      summary: 'Show one agent.',
      arguments: [{ name: '<agent>', about: 'Its name.' }],
      async run({ args, connect, output }) {
        const client = await connect()
        const agent = await client.getAgent({ agent: args[0] ?? '' })
        if (output.isJson) output.json(agent)
        else {
          const { name, description, model, tools, subagents, config } = agent
          output.line(
            renderFields(
              [
                ['agent', name],
                ['about', description],
                ['model', model],
                ['tools', tools?.join(', ') ?? 'all there are'],
                ['sub-agents', subagents?.join(', ')],
              ],
              (style, text) => output.style(style, text),
            ),
          )
          output.line()
          output.line(plainText(JSON.stringify(config, null, 2)))
        }
        return undefined
      },
    },
  ],
}
