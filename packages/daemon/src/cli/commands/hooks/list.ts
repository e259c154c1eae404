import { sep } from 'node:path'
import type { ListedHook } from '../../../protocol/schemas/hooks.ts'
import type { Subcommand } from '../../command.ts'
import { noteBroken } from '../../connect/broken-lines.ts'
import { withDaemon } from '../../connect/with-daemon.ts'

export const listCommand: Subcommand = {
  name: 'list',
  summary: 'List hooks, by point and in the order in which they run.',
  isDefault: true,
  options: [
    { flags: '--point <name>', about: 'Those of one point.' },
    { flags: '--agent <name>', about: 'Those of one agent.' },
  ],
  examples: [
    { command: 'hookline hooks', about: 'All hooks, and whether they run.' },
    {
      command: 'hookline hooks list --point tool.guard',
      about: 'Who judges the calls that will run.',
    },
  ],
  async run(context) {
    const { options, output } = context
    const point = options.text('point')
    const agent = options.text('agent')
    const list = await withDaemon(context, async (client) => {
      await noteBroken(client, output)
      return await client.listHooks({
        ...(point !== undefined && { point }),
        ...(agent !== undefined && { agent }),
      })
    })
    if (output.isJson) {
      output.json(list)
      return undefined
    }
    output.table(list.items, [
      { header: 'POINT', value: (hook) => hook.point, isHeading: true },
      { header: '#', value: ({ order }) => order, align: 'right' },
      { header: 'HOOK', value: ({ name }) => name },
      { header: 'HANDLER', value: ({ handler }) => handler.kind },
      { header: 'MODE', value: ({ mode }) => mode },
      {
        header: 'STATE',
        value: ({ isEnabled }) => (isEnabled ? 'on' : 'off'),
        style: ({ isEnabled }) => (isEnabled ? 'green' : 'yellow'),
      },
      {
        header: 'FROM',
        value: (hook) => fromHere(sourceWords(hook)),
        exact: sourceWords,
        canShrink: true,
      },
      {
        header: 'WHY OFF',
        value: ({ disabledBy }) => disabledBy,
        canShrink: true,
        isOptional: true,
      },
    ])
    if (list.items.length === 0) {
      output.note('There are none. "hookline init" writes a first one.')
    }
    return undefined
  },
}

/** Short where it is in the folder that somebody works in. */
function fromHere(source: string): string {
  const here = `${process.cwd()}${sep}`
  return source.startsWith(here) ? source.slice(here.length) : source
}

/** Where a hook is written, for people. */
export function sourceWords({ source }: Pick<ListedHook, 'source'>): string {
  const { kind, layer, file, line, name, use } = source
  const place = file === undefined ? name : `${file}:${line ?? 1}`
  const where = place === undefined ? kind : place
  const whole = layer === undefined ? where : `${where} (${layer})`
  return use === undefined ? whole : `${whole}, use ${use}`
}
