import type { KnownOption, WordsPlace } from './describe-words.ts'

/** Text as one word of a shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Branches of a `case` over "$place $word" that find the place of a word. */
export function placeCases(places: readonly WordsPlace[]): string {
  return places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => {
      const before = path.slice(0, -1).join(' ')
      const pattern = quoted(`${before} ${path.at(-1)}`)
      return `      ${pattern}) place=${quoted(path.join(' '))} ;;`
    })
    .join('\n')
}

/** Branches of a `case` over "$place $previous" for values of options. */
export function valueCases(
  places: readonly WordsPlace[],
  replyFor: (value: NonNullable<KnownOption['value']>, about: string) => string,
): string {
  return places
    .flatMap(({ path, options }) =>
      options.flatMap(({ names, value, about }) => {
        if (value === undefined) return []
        const patterns = names.map((name) =>
          quoted(`${path.join(' ')} ${name}`),
        )
        const reply = replyFor(value, about)
        return [`    ${patterns.join(' | ')}) ${reply}; return ;;`]
      }),
    )
    .join('\n')
}
