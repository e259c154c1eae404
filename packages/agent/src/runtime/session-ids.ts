/**
 * The ids that cells of a session are found by. A `tree` is a session with all
 * that work for it, however deep: its id is that of the one at the top.
 */
export function sessionIds(session: string, tree: string | undefined) {
  return { session, tree: tree ?? session }
}
