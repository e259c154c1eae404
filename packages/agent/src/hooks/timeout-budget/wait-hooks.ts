import { defineHook, type Hook, proceed, type State } from 'hookline'
import {
  type AgentScope,
  permissionRequest,
  permissionResolved,
  toolGuard,
  toolPostCall,
} from 'hookline/lifecycle'
import { beginWait, endWait, waitOf } from './clocks.ts'
import type { Times } from './time-left.ts'

const handler = { version: '1' }

interface Moment {
  readonly state: State
  readonly scope: AgentScope
}

/** Stop the clock while people are asked whether a call may run. */
export function questionHooks(name: string, times: Times): Hook[] {
  const { begin, end } = createWaits(times)
  return [
    defineHook({
      ...{ name: `${name}:asked`, on: permissionRequest, handler },
      run: ({ id }, moment) => begin(moment, id),
    }),
    defineHook({
      ...{ name: `${name}:answered`, on: permissionResolved, handler },
      run: ({ id }, moment) => end(moment, id),
    }),
  ]
}

/** Stop the clock while a tool waits for people. */
export function peopleHooks(
  name: string,
  times: Times,
  isOfPeople: (tool: string) => boolean,
): Hook[] {
  const { begin, end } = createWaits(times)
  return [
    defineHook({
      ...{ name: `${name}:people`, on: toolGuard, handler },
      match: ({ tool }) => isOfPeople(tool),
      run: ({ id }, moment) => begin(moment, id),
    }),
    defineHook({
      ...{ name: `${name}:people-end`, on: toolPostCall, handler },
      // The first one here: whoever withholds the result does not skip it.
      priority: 1_000_000,
      beforeWrites: true,
      onFailure: 'open',
      match: ({ call }) => isOfPeople(call.tool),
      run: ({ call }, moment) => end(moment, call.id),
    }),
  ]
}

function createWaits(times: Times) {
  const changing =
    (change: typeof beginWait) =>
    async ({ state, scope: { turnId = '' } }: Moment, id: string) => {
      const now = times.now()
      const wait = waitOf(turnId, id)
      await times.change(state, (before) => change(before, wait, now))
      return proceed
    }
  return { begin: changing(beginWait), end: changing(endWait) }
}
