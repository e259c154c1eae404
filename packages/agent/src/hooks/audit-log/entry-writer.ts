import { resolve } from 'node:path'
import type { Decision } from 'hookline'
import {
  type AgentScope,
  audit,
  type JsonObject,
  type JsonValue,
} from 'hookline/lifecycle'
import type { HooksHost } from '../../define-hooks.ts'
import { createContent, type Keep } from './content.ts'
import { createLogFile, type LogFile } from './log-file.ts'
import type { AuditLogOptions } from './options.ts'
import { placeOf } from './place-of.ts'

/** What an entry is written with. */
interface Writing {
  readonly scope: AgentScope
  readonly contribute: (entry: ReturnType<typeof audit>) => void
  readonly diagnose: (code: string, message: string) => void
}

/** Where entries go, and how much of what happened is in them. */
export interface EntryWriter {
  readonly argsOf: Keep
  readonly resultOf: Keep
  /** What people and models say. */
  readonly textOf: Keep
  /** Reasons and names, which are always shown, without secrets. */
  readonly text: (text: string) => string
  /** What was decided, and by whom. */
  readonly decided: (decision: Decision) => JsonObject
  /** The same of a call, whose arguments a reason may well have in it. */
  readonly decidedOfCall: (decision: Decision) => JsonObject
  /** Never rejects: what could not be written is said. */
  readonly write: (
    event: string,
    details: JsonObject,
    writing: Writing,
  ) => Promise<void>
  /** Rejects if it cannot be written that something begins. */
  readonly writeBegin: (event: string, scope: AgentScope) => Promise<void>
}

export function createEntryWriter(
  options: AuditLogOptions,
  host: Pick<HooksHost, 'folder' | 'clock'>,
): EntryWriter {
  const { clock } = host
  const { store = true, args = 'redacted', results = 'redacted' } = options
  const { keepBy, text } = createContent()
  const argsOf = keepBy(args)
  const now = () => new Date(clock.wallAt(clock.now())).toISOString()
  const lostLine = (count: number) =>
    JSON.stringify({ at: now(), event: 'audit.lost', count })
  const log = openLog(options, host, lostLine)
  const append = (event: string, scope: AgentScope, details: JsonObject) =>
    log?.append(
      JSON.stringify({ at: now(), event, ...placeOf(scope), ...details }),
    )
  return {
    argsOf,
    resultOf: keepBy(results),
    textOf: keepBy(options.texts ?? 'none'),
    text,
    decided: (decision) => decisionOf(decision, text),
    decidedOfCall: (decision) =>
      decisionOf(decision, (reason) => argsOf(text(reason))),
    async write(event, details, { scope, contribute, diagnose }) {
      if (store) contribute(audit({ event, details }))
      try {
        await append(event, scope, details)
      } catch (error) {
        const { code = 'unknown' } = Object(error)
        const message = `The entry "${event}" was not written (${String(code)}).`
        diagnose('audit.lost', message)
      }
    },
    writeBegin: async (event, scope) => await append(event, scope, {}),
  }
}

function decisionOf(
  { type, by, reason }: Decision,
  keep: (reason: string) => JsonValue | undefined,
): JsonObject {
  return {
    decision: type,
    ...some('by', by),
    ...some('reason', reason === undefined ? undefined : keep(reason)),
  }
}

function openLog(
  { file, maxBytes = 10_000_000, maxFiles = 5, syncs = false }: AuditLogOptions,
  { folder }: Pick<HooksHost, 'folder'>,
  lostLine: (count: number) => string,
): LogFile | undefined {
  if (file === undefined) return undefined
  const path = resolve(folder, file)
  return createLogFile({ file: path, maxBytes, maxFiles, syncs, lostLine })
}

/** A part of an entry that is there only if anything of it is kept. */
export function some(key: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value }
}

/** Nobody waits for those who write, and all of them give entries. */
export const observing = {
  handler: { version: '1' },
  execution: 'record',
  capabilities: [audit.kind],
} as const
