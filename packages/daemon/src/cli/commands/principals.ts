import type { Right } from '../../protocol/routes.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { exactTime, localTime } from '../output/times.ts'

const allRights = ['run', 'approve', 'admin'] as const

export const command: Command = {
  about:
    'Works on the files of the home, so that no daemon needs to run; one that runs follows them.',
  subcommands: [
    {
      name: 'list',
      summary: 'List who may use the daemon.',
      isDefault: true,
      examples: [{ command: 'hookline principals', about: 'Everybody.' }],
      async run(context) {
        const { output } = context
        const { principals } = await openHomeOf(context)
        const items = principals.list().map(({ tokenHash: _, ...rest }) => rest)
        if (output.isJson) output.json({ items })
        else {
          output.table(items, [
            { header: 'NAME', value: ({ name }) => name },
            { header: 'KIND', value: ({ kind }) => kind },
            { header: 'RIGHTS', value: ({ rights }) => rights.join(', ') },
            {
              header: 'SINCE',
              value: ({ createdAt }) => localTime(createdAt),
              exact: ({ createdAt }) => exactTime(createdAt),
            },
            {
              header: 'UNTIL',
              value: ({ expiresAt }) => expiresAt && localTime(expiresAt),
              exact: ({ expiresAt }) => expiresAt && exactTime(expiresAt),
            },
          ])
        }
        return undefined
      },
    },
    {
      name: 'create',
      summary: 'Let somebody in; prints their token, once.',
      arguments: [{ name: '<name>', about: 'Who; records name them so.' }],
      options: [
        {
          flags: '--rights <rights>',
          about: 'Some of run, approve and admin, with commas; default: run.',
        },
        { flags: '--service', about: 'It is a program, not a person.' },
        { flags: '--for <time>', about: 'How long, such as 8h or 30d.' },
      ],
      examples: [
        {
          command:
            'hookline principals create ann --rights run,approve > ann.token',
          about: 'Ann may use the daemon and agree to what agents ask for.',
        },
      ],
      async run(context) {
        const { args, options, output } = context
        const { principals } = await openHomeOf(context)
        const forMs = options.durationMs('for')
        const { principal, token } = await principals.create({
          name: args[0] ?? '',
          kind: options.flag('service') ? 'service' : 'user',
          rights: readRights(options.text('rights') ?? 'run'),
          ...(forMs !== undefined && { expiresAt: Date.now() + forMs }),
        })
        const { tokenHash: _, ...shown } = principal
        if (output.isJson) output.json({ ...shown, token })
        else {
          output.line(token)
          output.note('This is the token; it is not told again.')
        }
        return undefined
      },
    },
    {
      name: 'revoke',
      summary: 'Let somebody in no more.',
      arguments: [{ name: '<name>', about: 'Who.' }],
      examples: [
        { command: 'hookline principals revoke ann', about: 'From now on.' },
      ],
      async run(context) {
        const { args, output } = context
        const [name = ''] = args
        const { principals } = await openHomeOf(context)
        const wasThere = await principals.revoke(name)
        if (!wasThere) {
          const message = `There is no principal "${name}".`
          const hint = 'See who there is: hookline principals'
          throw new CliError('not-found', message, { hint })
        }
        if (output.isJson) output.json({ name, wasThere })
        else output.line('The token is no longer taken.')
        return undefined
      },
    },
  ],
}

async function openHomeOf({ options, env }: CommandContext) {
  const { openHome } = await import('../../server/home.ts')
  return await openHome({ path: options.text('home'), env })
}

function readRights(text: string): readonly Right[] {
  return text.split(',').map((given) => {
    const right = allRights.find((one) => one === given.trim())
    if (right !== undefined) return right
    throw new CliError('usage', `"${given}" is no right.`, {
      hint: `Rights are: ${allRights.join(', ')}.`,
    })
  })
}
