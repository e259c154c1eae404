import type { Option } from '../command.ts'

/** For commands that play a turn at the terminal. */
export const turnOptions: readonly Option[] = [
  {
    flags: '--when-asked <how>',
    about:
      'What to do when an agent asks: ask you, wait for an answer from elsewhere, or deny. Default: ask at a terminal, else wait.',
    choices: ['ask', 'wait', 'deny'],
  },
  { flags: '-v, --verbose', about: 'Also what usually says nothing new.' },
]

export const aloneOption: Option = {
  flags: '--alone',
  about: 'Do not use the daemon, even if one runs.',
}
