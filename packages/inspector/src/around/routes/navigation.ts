import { useSyncExternalStore } from 'react'
import { type Place, placeAt } from './addresses.ts'

type Listener = () => void

const listeners = new Set<Listener>()

/** Kept, so that the same address is the same place. */
let last: { href: string; place: Place | undefined } | undefined

function currentPlace(): Place | undefined {
  const { pathname, search } = window.location
  const href = pathname + search
  if (last?.href !== href) last = { href, place: placeAt(pathname, search) }
  return last.place
}

function subscribe(listener: Listener): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

/** Where somebody is; undefined: at an address that leads nowhere. */
export function usePlace(): Place | undefined {
  return useSyncExternalStore(subscribe, currentPlace)
}

export interface NavigateOptions {
  /** What is there now is not come back to: for filters as they are typed. */
  readonly replace?: boolean
}

/** Goes to an address that `hrefOf` made. */
export function navigate(
  href: string,
  { replace = false }: NavigateOptions = {},
): void {
  if (replace) window.history.replaceState(null, '', href)
  else {
    window.history.pushState(null, '', href)
    window.scrollTo(0, 0)
  }
  for (const listener of [...listeners]) listener()
}
