import type { Command } from '../command.ts'
import { plainLine } from '../output/plain-text.ts'

export const command: Command = {
  options: [
    { flags: '--agent <name>', about: 'Those that this agent can use.' },
  ],
  examples: [
    { command: 'hookline skills', about: 'All skills that were found.' },
  ],
  async run({ options, connect, output }) {
    const client = await connect()
    const agent = options.text('agent')
    const skills = await client.listSkills(agent === undefined ? {} : { agent })
    if (output.isJson) {
      output.json(skills)
      return undefined
    }
    output.table(skills.items, [
      { header: 'SKILL', value: ({ name }) => name },
      {
        header: 'ABOUT',
        value: ({ description }) => description,
        canShrink: true,
      },
      {
        header: 'FILE',
        value: ({ path, isShadowed }) =>
          isShadowed ? `${path} (another goes before it)` : path,
        canShrink: true,
      },
    ])
    for (const { path, message } of skills.problems) {
      output.note(`${plainLine(path)}: ${plainLine(message)}`)
    }
    return undefined
  },
}
