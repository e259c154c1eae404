import { createHooks, type HookCallback } from 'hookable'
import compose from 'koa-compose'
import { AsyncSeriesWaterfallHook } from 'tapable'
import {
  type Counter,
  dispatchCandidate,
  type Kind,
  type ToolCall,
} from './dispatch-candidate.ts'
import { hookline } from './hookline-candidate.ts'
import { type Contest, timed } from './measure.ts'

/** The libraries with that many hooks, which count and change nothing. */
export function dispatchContest(kind: Kind, hooks: number): Contest {
  const libraries = [bareLoop, tapable, hookable, koaCompose, hookline]
  return {
    candidates: libraries.map((library) => {
      const counters = Array.from({ length: hooks }, () => ({ runs: 0 }))
      return timed(library(kind, counters))
    }),
  }
}

const passOn = (counter: Counter) => (call: ToolCall) => {
  counter.runs++
  return call
}

const passOnLater = (counter: Counter) => async (call: ToolCall) => {
  counter.runs++
  return call
}

function bareLoop(kind: Kind, counters: readonly Counter[]) {
  const hooks = counters.map<(call: ToolCall) => ToolCall | Promise<ToolCall>>(
    kind === 'sync' ? passOn : passOnLater,
  )
  return dispatchCandidate(counters, {
    name: 'bare await loop',
    async dispatch(call) {
      let value = call
      for (const hook of hooks) value = await hook(value)
      return value
    },
    isRight: (result, call) => result === call,
  })
}

function tapable(kind: Kind, counters: readonly Counter[]) {
  const hook = new AsyncSeriesWaterfallHook<ToolCall>(['call'])
  for (const [index, counter] of counters.entries()) {
    if (kind === 'sync') hook.tap(`hook-${index}`, passOn(counter))
    else hook.tapPromise(`hook-${index}`, passOnLater(counter))
  }
  return dispatchCandidate(counters, {
    name: 'tapable',
    dispatch: (call) => hook.promise(call),
    isRight: (result, call) => result === call,
  })
}

function hookable(kind: Kind, counters: readonly Counter[]) {
  const hooks = createHooks<{ call: HookCallback }>()
  for (const counter of counters) {
    const count = () => void counter.runs++
    hooks.hook('call', kind === 'sync' ? count : async () => count())
  }
  return dispatchCandidate(counters, {
    name: 'hookable',
    dispatch: (call) => hooks.callHook('call', call),
    isRight: (result) => result === undefined,
  })
}

function koaCompose(kind: Kind, counters: readonly Counter[]) {
  const count: (counter: Counter) => compose.Middleware<ToolCall> =
    kind === 'sync'
      ? (counter) => (_, next) => {
          counter.runs++
          return next()
        }
      : (counter) => async (_, next) => {
          counter.runs++
          await next()
        }
  const composed = compose(counters.map(count))
  return dispatchCandidate(counters, {
    name: 'koa-compose',
    dispatch: (call) => composed(call),
    isRight: (result) => result === undefined,
  })
}
