import type { OutputOf } from '../../protocol/operations.ts'
import type { Output } from '../output/output.ts'
import { plainLine } from '../output/plain-text.ts'

type BrokenFile = OutputOf<'getConfig'>['broken'][number]

interface Asked {
  getConfig(): Promise<{ readonly broken: readonly BrokenFile[] }>
}

/** Where and why files are wrong, so that nothing of them is used. */
export async function brokenLines(client: Asked): Promise<readonly string[]> {
  const { broken } = await client.getConfig()
  return broken.map(lineOf)
}

/** The same of the project's files: what they ask for nobody can trust. */
export async function brokenLinesOfProject(
  client: Asked,
): Promise<readonly string[]> {
  const { broken } = await client.getConfig()
  const isProjects = ({ layer }: BrokenFile) =>
    layer === 'project' || layer === 'local'
  return broken.filter(isProjects).map(lineOf)
}

function lineOf({ file, line, column, message }: BrokenFile): string {
  const place = [file, line, column].filter((part) => part !== undefined)
  return plainLine(`${place.join(':')}: ${message}`)
}

/** For whoever looks at hooks: those of such a file are not among them. */
export async function noteBroken(client: Asked, output: Output): Promise<void> {
  for (const line of await brokenLines(client)) {
    const text = `Nothing of this file is used: ${line}`
    output.note(output.noteStyle('yellow', text))
  }
}
