import { truncate } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'

const KEY = '$invalid'
const MAX_POINTS = 2000

/** Stands for arguments that were no JSON object: what the model wrote, cut. */
export function invalidArgs(written: string): JsonObject {
  return { [KEY]: truncate(written, MAX_POINTS).text }
}

/** Whether a call must be denied, because its arguments could not be read. */
export function isInvalidArgs(args: JsonObject): boolean {
  return typeof args[KEY] === 'string' && Object.keys(args).length === 1
}
