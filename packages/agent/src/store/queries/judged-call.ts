import type { ToolCall } from 'hookline/lifecycle'
import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'
import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'
import { text } from './stored-run.ts'

/** The arguments of a call as they were judged, fit to be shown. */
export interface JudgedArgs {
  readonly args: unknown
  readonly originalArgs: unknown
  readonly argsHash: string | undefined
}

const nothing: JudgedArgs = {
  args: undefined,
  originalArgs: undefined,
  argsHash: undefined,
}

/** Reads what is left of a row of `calls`, by its turn and its redacted id. */
export function readJudged(
  { redactor, payloads }: Pick<StoreParts, 'redactor' | 'payloads'>,
  row: Row,
  [turnId = '', callId = '']: readonly string[],
): JudgedArgs {
  const payload = text(row['payload'])
  if (payload === undefined) return nothing
  const place = ['calls', turnId, callId, String(row['session_id'])] as const
  try {
    // The journal's writer has put a call there.
    const call = payloads.read(payload, place) as ToolCall
    const { args, originalArgs } = call
    return {
      args: redactor.data(args),
      originalArgs: originalArgs && redactor.data(originalArgs),
      argsHash: sha256(canonicalJson(args)),
    }
  } catch (error) {
    // Without its key the rest of the answer is still one.
    if (error instanceof StoreError) return nothing
    throw error
  }
}
