import type { Subcommand } from '../../command.ts'

export const schemaCommand: Subcommand = {
  name: 'schema',
  summary: 'Print the JSON Schema of configuration files, for editors.',
  about:
    'It knows every section, every point, and all hooks that files can use by name, with their options.',
  options: [],
  examples: [
    {
      command: 'hookline config schema > hookline.schema.json',
      about: 'A file names it with "$schema".',
    },
  ],
  async run({ output }) {
    const { createConfigSchema } = await import('@hookline/agent/config')
    const { configSections } = await import(
      '../../../reload/sections/config-sections.ts'
    )
    const { knownHooks } = await import('../../../reload/known-hooks.ts')
    const schema = createConfigSchema({
      sections: configSections(),
      catalogue: await knownHooks()(),
    })
    if (output.isJson) output.json(schema)
    else output.line(JSON.stringify(schema, null, 2))
    return undefined
  },
}
