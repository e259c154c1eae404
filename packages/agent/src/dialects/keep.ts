/** More than there are at a time, as those that end are forgotten. */
const maxKept = 10_000

/** What nobody has come back for is forgotten, the oldest first. */
export function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= maxKept) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
