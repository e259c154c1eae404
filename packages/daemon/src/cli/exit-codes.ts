/** How a command ends, for whoever started it. */
export const exitCodes = {
  ok: { code: 0, meaning: 'It is done.' },
  failed: { code: 1, meaning: 'It failed, or a check found errors.' },
  usage: { code: 2, meaning: 'The command was not used as it can be.' },
  unreachable: { code: 3, meaning: 'No daemon can be reached.' },
  refused: {
    code: 4,
    meaning: 'It was denied: by a right, a hook, a policy or a person.',
  },
  'not-found': { code: 5, meaning: 'What was named does not exist.' },
  taken: { code: 6, meaning: 'A daemon runs there already.' },
  untrusted: {
    code: 7,
    meaning:
      'Nobody trusts what came with the project, and nobody could be asked; or it is wrong.',
  },
  interrupted: { code: 130, meaning: 'It was cancelled or interrupted.' },
} as const satisfies Record<string, ExitCode>

interface ExitCode {
  readonly code: number
  readonly meaning: string
}

export type ExitName = keyof typeof exitCodes
