const endings = Array.from({ length: 1_296 }, (_, count) =>
  count.toString(36).padStart(2, '0'),
)

/**
 * Ids that differ within this process, and most likely beyond it: a random
 * part and a count. Most of a count is made once for many ids.
 */
export function createIds(): () => string {
  const random = Math.random().toString(36).slice(2, 10)
  let hundreds = 0
  let next = 0
  let beginning = `${random}-0`
  return () => {
    if (next === endings.length) {
      next = 0
      beginning = `${random}-${(++hundreds).toString(36)}`
    }
    return beginning + endings[next++]
  }
}
