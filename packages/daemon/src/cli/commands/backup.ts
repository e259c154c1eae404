import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { findStore } from '../connect/find-store.ts'
import { rootOption } from '../global-options.ts'
import { plainLine } from '../output/plain-text.ts'
import { withProgress } from '../output/progress.ts'
import { exportTo } from './backup/export-to.ts'

export const command: Command = {
  about:
    'The daemon may run meanwhile. A name that ends in .jsonl has everything written as lines of JSON, which any store takes; a Postgres is always written so. It holds sessions, records, approvals, audit and memories; tokens and what is trusted are files of the home, and are not in it.',
  arguments: [{ name: '<file>', about: 'A new file, for you alone.' }],
  options: [rootOption],
  examples: [
    {
      command: 'hookline backup hookline-backup.db',
      about: 'A copy of the database, as it is at one moment.',
    },
  ],
  async run(context) {
    const { args, output } = context
    const to = resolve(args[0] ?? '')
    if (existsSync(to)) {
      const message = `There is a file "${to}" already; nothing was written.`
      throw new CliError('failed', message, { hint: 'Choose another name.' })
    }
    const { file, open } = await findStore(context)
    const isLines = file === undefined || to.endsWith('.jsonl')
    if (file !== undefined && !existsSync(file)) {
      const message = `There is no store at "${file}" yet.`
      throw new CliError('not-found', message, {
        hint: 'Name the home that you mean with --home.',
      })
    }
    if (isLines) await exportTo(to, { open, output })
    else {
      const { backupSqlite } = await import('@hookline/agent/durable')
      const work = backupSqlite({ from: file, to })
      await withProgress(output, 'Copying', work)
    }
    const { size } = statSync(to)
    const format = isLines ? 'lines' : 'sqlite'
    if (output.isJson) output.json({ file: to, format, sizeBytes: size })
    else {
      output.line(`${plainLine(to)} holds all of it (${size} bytes).`)
      output.note(
        'It has what was said and done; keep it where only you can read it.',
      )
    }
    return undefined
  },
}
