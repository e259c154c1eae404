import type { Option } from './command.ts'

/** What every command takes. */
export const globalOptions: readonly Option[] = [
  { flags: '--json', about: 'Results as JSON, for programs.' },
  {
    flags: '--home <folder>',
    about: 'Where the daemon keeps its state; also HOOKLINE_HOME.',
    takes: 'folder',
  },
  {
    flags: '--url <address>',
    about: 'A daemon that listens at an address; also HOOKLINE_URL.',
  },
  {
    flags: '--token-file <file>',
    about: 'The file with the token for it; also HOOKLINE_TOKEN_FILE.',
    takes: 'file',
  },
]

/** For commands that read the files of a project. */
export const rootOption: Option = {
  flags: '--root <folder>',
  about: 'The folder of the project; default: the one worked in.',
  takes: 'folder',
}

/** The place of the command among the words, if there is one. */
export function findCommandWord(words: readonly string[]): number {
  const withValue = globalOptions
    .filter(({ flags }) => flags.includes('<'))
    .map(({ flags }) => flags.split(' ')[0])
  for (let place = 0; place < words.length; place++) {
    const word = words[place] ?? ''
    if (!word.startsWith('-')) return place
    if (withValue.includes(word)) place++
  }
  return -1
}
