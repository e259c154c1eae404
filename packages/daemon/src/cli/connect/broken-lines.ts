import type { OutputOf } from '../../protocol/operations.ts'
import type { Output } from '../output/output.ts'
import { plainLine } from '../output/plain-text.ts'

interface Asked {
  getConfig(): Promise<Pick<OutputOf<'getConfig'>, 'broken'>>
}

/** Where and why files of the project are wrong, so that nothing of them is used. */
export async function brokenLines(client: Asked): Promise<readonly string[]> {
  const { broken } = await client.getConfig()
  return broken.map(({ file, line, column, message }) => {
    const place = [file, line, column].filter((part) => part !== undefined)
    return plainLine(`${place.join(':')}: ${message}`)
  })
}

/** For whoever looks at hooks: those of such a file are not among them. */
export async function noteBroken(client: Asked, output: Output): Promise<void> {
  for (const line of await brokenLines(client)) {
    const text = `Nothing of this file is used: ${line}`
    output.note(output.noteStyle('yellow', text))
  }
}
