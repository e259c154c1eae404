import type { Dispatch } from './dispatch.ts'
import type { State } from './state.ts'

const noScope: object = Object.freeze({})

/** What a dispatch that a hook asks for does not bring, the outer one gives. */
export function scopeOf({ options }: Dispatch): object {
  const { scope, parent } = options
  return scope ?? (parent === undefined ? noScope : scopeOf(parent.home))
}

export function stateOf({ options, engine }: Dispatch): State {
  const { state, parent } = options
  if (state !== undefined) return state
  return parent === undefined ? engine.ports.state : stateOf(parent.home)
}

export function rootOf(dispatch: Dispatch): Dispatch {
  const { parent } = dispatch.options
  return parent === undefined ? dispatch : rootOf(parent.home)
}
