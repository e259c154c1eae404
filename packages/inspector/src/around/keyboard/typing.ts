/** So long after the last key, whoever types has seen what they type into. */
const pauseMs = 2_000

interface TypedKey {
  readonly event: KeyboardEvent
  readonly field: Element
}

let last: TypedKey | undefined
let lastAt = 0

/**
 * Remembers what is typed into which field. A field may go at any time, such as
 * when somebody else answers: the keys that follow were still meant for it.
 */
export function startTyping(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (!isField(event.target)) return
    last = { event, field: event.target }
    lastAt = event.timeStamp
  }
  const onPointer = () => {
    last = undefined
  }
  // Before anybody else: what they do may take the field away.
  window.addEventListener('keydown', onKey, true)
  window.addEventListener('pointerdown', onPointer, true)
  return () => {
    window.removeEventListener('keydown', onKey, true)
    window.removeEventListener('pointerdown', onPointer, true)
  }
}

/** Whether a key was meant for a field that has gone while somebody typed. */
export function isTypedOn(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey } = event
  const isText = (key.length === 1 && !ctrlKey && !metaKey) || key === 'Enter'
  if (last === undefined || last.field.isConnected || !isText) return false
  const isSoon = event.timeStamp - lastAt < pauseMs
  if (!isSoon || leaves(last.event)) {
    last = undefined
    return false
  }
  lastAt = event.timeStamp
  return true
}

export function isField(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
  )
}

/** Whether whoever has pressed it is done with the field. */
function leaves({ key, target, defaultPrevented }: KeyboardEvent): boolean {
  // What sends a line or a message has said so.
  const isSent = key === 'Enter' && target instanceof HTMLInputElement
  return defaultPrevented || isSent || key === 'Escape' || key === 'Tab'
}
