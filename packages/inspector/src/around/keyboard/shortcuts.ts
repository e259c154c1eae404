import { useEffect, useRef } from 'react'
import { isField, isTypedOn, startTyping } from './typing.ts'

/** A key that does something somewhere, and how it is explained. */
export interface Shortcut {
  /** One after the other, such as "g s"; "mod" is Ctrl, or Cmd on a Mac. */
  readonly keys: string
  readonly about: string
  readonly group: 'Go to' | 'Lists' | 'Everywhere' | 'This view'
  /** Also while somebody types. */
  readonly whileTyping?: boolean
  readonly run: () => void
}

/** How long the second key of a pair may take. */
const pairMs = 1_200

/** Going through a list; any other key that is held was pressed once. */
const mayRepeat = /^(?:[jk]|Arrow\w+|Page\w+)$/i

const active = new Set<Shortcut>()
let pending: { key: string; at: number } | undefined

/** All that can be pressed now, for whoever asks what there is. */
export function listShortcuts(): readonly Shortcut[] {
  const byKeys = new Map([...active].map((one) => [one.keys, one]))
  return [...byKeys.values()]
}

/** The keys of a view, as long as it is there. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const names = shortcuts.map(({ keys }) => keys).join('\n')
  // What they do may change at each drawing; which there are, hardly ever.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    const added = latest.current.map((shortcut, at) => ({
      ...shortcut,
      run: () => latest.current[at]?.run(),
    }))
    for (const one of added) active.add(one)
    return () => {
      for (const one of added) active.delete(one)
    }
  }, [names])
}

/** Listens once for the whole page. */
export function startKeyboard(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    if (event.altKey && !event.getModifierState('AltGraph')) return
    if (isTypedOn(event)) {
      event.preventDefault()
      return
    }
    if (event.repeat && !mayRepeat.test(event.key)) {
      // Nor does it press what has the focus again and again.
      if (event.key === 'Enter' && isForTarget('Enter', event.target)) {
        event.preventDefault()
      }
      return
    }
    const found = findShortcut(event)
    if (found === undefined) return
    event.preventDefault()
    found.run()
  }
  const stopTyping = startTyping()
  window.addEventListener('keydown', onKey)
  return () => {
    window.removeEventListener('keydown', onKey)
    stopTyping()
  }
}

function findShortcut(event: KeyboardEvent): Shortcut | undefined {
  const key = nameOf(event)
  const before = pending
  pending = undefined
  if (key === undefined || isForTarget(key, event.target)) return undefined
  const isTyping = isField(event.target)
  const isCovered = document.querySelector(covers) !== null
  const isWriting = document.querySelector(drafts) !== null
  const isFree = !isTyping && !isCovered && (!isWriting || key === 'Escape')
  // The newest first: a view goes before what is around it.
  const all = [...active]
    .reverse()
    .filter(({ whileTyping = false }) => whileTyping || isFree)
  const isFresh = before !== undefined && event.timeStamp - before.at < pairMs
  const pair = isFresh
    ? all.find(({ keys }) => keys === `${before.key} ${key}`)
    : undefined
  if (pair !== undefined) return pair
  // It came too late, and was not meant to stand alone.
  const isLate = all.some(({ keys }) => keys === `${before?.key} ${key}`)
  if (isLate) return undefined
  if (all.some(({ keys }) => keys.startsWith(`${key} `))) {
    pending = { key, at: event.timeStamp }
    return undefined
  }
  return all.find(({ keys }) => keys === key)
}

/** Whatever lies above the view has its keys. */
const covers = 'dialog[open], [role="menu"]'

/** Wherever the focus is, only the key that leads back leads away from these. */
const drafts = '[data-draft]'

/** As shortcuts name it; undefined: it belongs to the browser or the system. */
function nameOf(event: KeyboardEvent): string | undefined {
  const isThird = event.getModifierState('AltGraph')
  if (event.altKey && !isThird) return undefined
  const isMod = (event.metaKey || event.ctrlKey) && !isThird
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  // Signs such as "?" are typed with it; letters mean something else then.
  const isLetter = key.length === 1 && key !== key.toUpperCase()
  if (event.shiftKey && (isMod || isLetter)) return undefined
  return isMod ? `mod+${key}` : key
}

/** Enter presses what has the focus, and arrows scroll it. */
function isForTarget(key: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (key === 'Enter') return target.closest('a, button, summary') !== null
  const scrolls = '[tabindex="0"]:not([role="tree"])'
  return key.startsWith('Arrow') && target.closest(scrolls) !== null
}
