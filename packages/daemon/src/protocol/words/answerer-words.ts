/** A person, a hook that answered in their place, or nobody. */
interface ToldAnswerer {
  readonly kind: string
  readonly name?: string | undefined
}

/** Stands in the place of a name that whoever reads may not hear. */
export const unseenHook = 'a hook that you may not see'

/** Whoever answered, so that a hook is not taken for a person. */
export function answererWords({ kind, name }: ToldAnswerer): string {
  if (kind === 'nobody') return 'nobody'
  if (name === undefined) return unseenHook
  return kind === 'hook' ? `the hook "${name}"` : name
}
