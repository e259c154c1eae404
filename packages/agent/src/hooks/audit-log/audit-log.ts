import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  type AgentScope,
  llmPreCall,
  toolGuard,
  turnPreTurn,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { createEntryWriter, type EntryWriter } from './entry-writer.ts'
import { observeQuestions, observeTools } from './observe-tools.ts'
import { observeModels, observeTurns } from './observe-turns.ts'
import { auditLogOptions } from './options.ts'

export type { AuditContent, AuditLogOptions } from './options.ts'

/** Who did what, and who let it happen. */
export const auditLog = defineHooks({
  name: 'audit-log',
  description:
    'Writes down what agents do and who decided it, as lines of a file and in the audit log of the store.',
  options: auditLogOptions,
  paths: ({ file }) => (file === undefined ? [] : [file]),
  create(options, host) {
    const { name } = host
    const isRefusing = options.onFailure === 'closed'
    if (isRefusing && options.file === undefined) {
      const message = `The options of "${name}" have \`onFailure: closed\`, which is about the file, and no \`file\`.`
      throw new AgentError('invalid-config', message)
    }
    const writer = createEntryWriter(options, host)
    return [
      ...observeTurns(name, writer),
      ...observeModels(name, writer),
      ...observeTools(name, writer),
      ...observeQuestions(name, writer),
      ...(isRefusing ? gates(name, writer) : []),
    ]
  },
})

/** Nothing goes on of which it cannot be written that it does. */
function gates(name: string, { writeBegin }: EntryWriter): Hook[] {
  return [turnPreTurn, llmPreCall, toolGuard].map((point) =>
    defineHook({
      name: `${name}:gate:${point.name}`,
      on: point,
      handler: { version: '1' },
      priority: 980,
      // What it is makes no difference here.
      beforeWrites: true,
      async run(_: unknown, { scope }: { readonly scope: AgentScope }) {
        try {
          await writeBegin(`${point.name}.begins`, scope)
          return proceed
        } catch {
          return reject('The audit log cannot be written.')
        }
      },
    }),
  )
}
