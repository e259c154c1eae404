import type { Outcome, PlannedHook, Table } from 'hookline'
import { toolPreCall } from 'hookline/lifecycle'

/**
 * The gates that a value was changed after: also those that it did not concern
 * then, by their matchers, and not those that a `replace` has left out.
 */
export function overtakenBy(
  table: Table,
  { writers, runs }: Pick<Outcome, 'writers' | 'runs'>,
  isFilled: boolean,
): readonly string[] {
  const gates = gatesOf(table)
  const last = gates.findIndex(({ name }) => name === writers.at(-1))
  const isLeftOut = (name: string) =>
    runs.some(
      ({ planned, ending }) =>
        planned.name === name && ending.note === 'chain-ended',
    )
  return gates
    .slice(0, isFilled ? gates.length : last)
    .filter(({ name, mode, beforeWrites }) => {
      if (mode !== 'enforce' || name === writers.at(-1)) return false
      // Who gates before others write may itself have written besides.
      return beforeWrites || !writers.includes(name)
    })
    .map(({ name }) => name)
    .filter((name) => !isLeftOut(name))
}

/** For a call that none of them has seen as it is, such as one that was edited. */
export function allGates(table: Table): readonly string[] {
  return gatesOf(table)
    .filter(({ mode }) => mode === 'enforce')
    .map(({ name }) => name)
}

/** A table for each of these gates, to ask it alone. */
export function eachAlone(
  table: Table,
  names: readonly string[],
): readonly Table[] {
  if (names.length === 0) return []
  return gatesOf(table)
    .filter(({ name }) => names.includes(name))
    .map((gate) => tableOf(table, gate))
}

function gatesOf(table: Table): readonly PlannedHook[] {
  return table.plans.get(toolPreCall.name)?.waited ?? []
}

const tables = new WeakMap<PlannedHook, Table>()

/** A table with nothing but one hook. */
function tableOf(table: Table, planned: PlannedHook): Table {
  const known = tables.get(planned)
  if (known !== undefined) return known
  const alone = { ...planned, index: 0, batchEnd: 1, needed: [] }
  const plan = {
    point: toolPreCall,
    waited: [alone],
    observers: [],
    hasNeeds: false,
  }
  const hooks = table.hooks.filter(({ name }) => name === planned.name)
  const made = { hooks, plans: new Map([[toolPreCall.name, plan]]) }
  tables.set(planned, made)
  return made
}
