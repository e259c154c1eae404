import type { Command } from '../command.ts'
import { rootOption } from '../global-options.ts'

export const command: Command = {
  about:
    'SIGINT and SIGTERM let turns end first, the second time at once; SIGHUP reads the configuration again. It goes on when its terminal is gone.',
  outlivesReader: true,
  options: [
    rootOption,
    {
      flags: '--safe',
      about:
        'No hooks but managed gates, which deny: for when a hook hangs or a table is bad.',
    },
    {
      flags: '--tcp <port>',
      about:
        'The port that browsers reach it by, on this machine; 0: any. Default: 4665, or the next that is free.',
    },
    {
      flags: '--no-inspector',
      about:
        'Without the inspector, and on no port unless the configuration says so.',
    },
    {
      flags: '--grace <time>',
      about: 'How long turns may take to end; default: daemon.graceMs.',
    },
  ],
  examples: [
    { command: 'hookline up', about: 'For the folder worked in.' },
    {
      command: 'hookline up --safe',
      about: 'When hooks keep it from working.',
    },
    {
      command: 'hookline up --tcp 4711',
      about: 'For programs that know no sockets.',
    },
  ],
  async run(context) {
    const { runDaemon } = await import('../up/run-daemon.ts')
    return await runDaemon(context)
  },
}
