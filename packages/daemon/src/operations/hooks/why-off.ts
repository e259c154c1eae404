import type { Workspace } from '../../reload/workspace.ts'

/** Who has switched a hook off that is in no plan. */
export function whyOff({ switches, isSafe }: Workspace, name: string): string {
  const own = switches.of(name)
  if (own?.isEnabled === false) return byWhom(own)
  const held = switches.quarantineOf(name)
  if (held !== undefined) return held
  const { allOff } = switches.state
  if (allOff !== undefined) return `all hooks are off: ${byWhom(allOff)}`
  return isSafe ? 'the daemon was started in safe mode' : 'its own definition'
}

interface Off {
  readonly by: string
  readonly until?: number | undefined
  readonly reason?: string | undefined
}

function byWhom({ by, until, reason }: Off): string {
  const end =
    until === undefined ? '' : ` until ${new Date(until).toISOString()}`
  return `${by}${end}${reason === undefined ? '' : ` (${reason})`}`
}
