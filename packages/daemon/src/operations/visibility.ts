import type { Diagnostic, Visibility } from 'hookline'
import type { Caller } from '../protocol/caller.ts'
import { seesAll } from '../service/visible-hooks.ts'

const forUsers: readonly Visibility[] = ['user_audit', 'user_visible']

/** Whether somebody may see a run; one that does not say is for operators. */
export function maySee(
  caller: Caller,
  visibility: Visibility | undefined,
): boolean {
  return seesAll(caller) || forUsers.includes(visibility ?? 'internal')
}

/** What somebody may see; undefined: all. */
export function visibleTo(caller: Caller): readonly Visibility[] | undefined {
  return seesAll(caller) ? undefined : forUsers
}

/** What a run says to people: lines are for operators unless they say so. */
export function diagnosticsFor(
  caller: Caller,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  return diagnostics.filter((one) => seesAll(caller) || one.safeForUser)
}
