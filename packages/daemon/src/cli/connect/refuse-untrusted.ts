import { CliError } from '../cli-error.ts'
import type { CommandContext } from '../command-context.ts'
import { plainLine } from '../output/plain-text.ts'
import { brokenLinesOfProject } from './broken-lines.ts'
import type { Connection } from './connect-or-start.ts'

/**
 * What came with a project and nobody trusts does not run. At a terminal it is
 * said; where nobody sits, a run without it would look like one with it. Of a
 * file that is wrong nobody can say what it would have kept from happening.
 */
export async function refuseUntrusted(
  { output }: Pick<CommandContext, 'output'>,
  { client, isEmbedded }: Pick<Connection, 'client' | 'isEmbedded'>,
): Promise<void> {
  // Whoever runs a daemon was told when it was started.
  if (!isEmbedded) return
  const broken = await brokenLinesOfProject(client)
  if (broken.length > 0) {
    const what = ['What came with this project is wrong:', ...broken].join('\n')
    throw new CliError('untrusted', what, { hint: mendHint })
  }
  const { items } = await client.listUntrusted({})
  if (items.length === 0) return
  const names = items.map(({ name, hash }) => `${plainLine(name)} (${hash})`)
  const message = `Nobody trusts what came with this project: ${names.join(', ')}.`
  const hint =
    'Look at it with "hookline hooks trust"; where nobody can, name the hashes in HOOKLINE_TRUST.'
  if (!output.isNoteTerminal) throw new CliError('untrusted', message, { hint })
  output.note(`${message} It does nothing. ${hint}`)
}

const mendHint =
  'Mend it; "hookline hooks lint <file>" says all that is wrong. A daemon, "hookline up", goes on without it.'
