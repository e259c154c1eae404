import type { Readable } from 'node:stream'
import { CliError } from '../../cli-error.ts'

/** What a product tells us. */
export type InputStream = Readable & { readonly isTTY?: boolean }

const maxBytes = 64 * 1_048_576

export async function readInput(input: InputStream): Promise<string> {
  if (input.isTTY === true) {
    const message = 'There is no input: this is for products to run as a hook.'
    throw new CliError('usage', message)
  }
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of input) {
    const bytes = Buffer.from(piece)
    size += bytes.length
    if (size > maxBytes) {
      const message = `The input has more than ${maxBytes} bytes.`
      throw new CliError('failed', message)
    }
    pieces.push(bytes)
  }
  return Buffer.concat(pieces).toString('utf8')
}
