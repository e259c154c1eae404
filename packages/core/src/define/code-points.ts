/** Cuts after `max` code points; never inside one. Says when it cut. */
export function truncate(
  text: string,
  max: number,
): { readonly text: string; readonly cut: boolean } {
  // A string has at most as many code points as code units.
  if (text.length <= max) return { text, cut: false }
  let units = 0
  let points = 0
  while (units < text.length && points < max) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
    points++
  }
  return { text: text.slice(0, units), cut: units < text.length }
}

/** How many Unicode code points a text has. */
export function countCodePoints(text: string): number {
  let points = 0
  for (let unit = 0; unit < text.length; points++) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
  }
  return points
}
