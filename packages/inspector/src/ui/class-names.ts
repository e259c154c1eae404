/** Classes that hold, without those that do not. */
export function classNames(
  ...names: readonly (string | false | undefined)[]
): string {
  return names.filter(Boolean).join(' ')
}
