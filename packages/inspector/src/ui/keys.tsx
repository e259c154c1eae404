const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

const names: Readonly<Record<string, string>> = {
  mod: isMac ? '⌘' : 'Ctrl',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** How keys are pressed, such as "mod+k" or "g s". */
export function Keys({ keys }: { readonly keys: string }) {
  const caps = keys.split(/ |(?<=.)\+(?=.)/).map((name) => names[name] ?? name)
  return (
    <span className="inline-flex items-center gap-1">
      {caps.map((cap) => (
        <kbd
          key={cap}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-sunken px-1 font-sans text-2xs text-muted"
        >
          {cap.length === 1 ? cap.toUpperCase() : cap}
        </kbd>
      ))}
    </span>
  )
}
