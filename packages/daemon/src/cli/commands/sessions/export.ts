import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Subcommand } from '../../command.ts'
import { plainJson } from '../../output/plain-text.ts'
import { withProgress } from '../../output/progress.ts'

export const exportCommand: Subcommand = {
  name: 'export',
  summary: 'Write everything that is kept of a session as JSON lines.',
  arguments: [{ name: '<session>', about: 'Its id.' }],
  options: [
    {
      flags: '-o, --output <file>',
      about: 'Into a new file, for you alone; default: stdout.',
      takes: 'file',
    },
  ],
  examples: [
    {
      command: 'hookline sessions export <session> -o session.jsonl',
      about: 'One record on each line.',
    },
  ],
  async run({ args, options, connect, output }) {
    const client = await connect()
    const records = client.exportSession({ sessionId: args[0] ?? '' })
    const file = options.text('output')
    if (file === undefined) {
      for await (const record of records) output.jsonLine(record)
      return undefined
    }
    let count = 0
    const lines = async function* () {
      for await (const record of records) {
        count++
        yield `${plainJson(JSON.stringify(record))}\n`
      }
    }
    // It holds what was said: nobody else reads it, and nothing is replaced.
    const target = createWriteStream(file, { flags: 'wx', mode: 0o600 })
    const work = pipeline(lines, target)
    await withProgress(output, () => `${count} records`, work)
    if (output.isJson) output.json({ file, count })
    else output.line(`${count} records are in ${file}.`)
    return undefined
  },
}
