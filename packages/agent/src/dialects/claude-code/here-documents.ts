import { endOfLine, matchAt } from './shell-signs.ts'

/** Those that a line announces; they begin on the next one. */
export class HereDocuments {
  #announced: HereDocument[] = []

  get isEmpty(): boolean {
    return this.#announced.length === 0
  }

  /** Reads what stands behind `<<`, and says where the line goes on. */
  begin(line: string, at: number): number | undefined {
    const begun = beginHereDocument(line, at)
    if (begun !== undefined) this.#announced.push(begun)
    return begun?.at
  }

  /** Where commands go on behind all of them; undefined: nobody can tell. */
  skip(
    line: string,
    from: number,
  ): { readonly at: number; readonly isOpen: boolean } | undefined {
    let at = from
    let isOpen = false
    for (const document of this.#announced) {
      const skipped = skipHereDocument(line, at, document)
      if (skipped === undefined) return undefined
      at = skipped.at
      isOpen ||= skipped.isOpen
    }
    this.#announced = []
    return { at, isOpen }
  }
}

/** Lines for the input of a command, up to one that says their end. */
interface HereDocument {
  readonly end: string
  readonly isQuoted: boolean
  readonly isIndented: boolean
  /** Where the rest of the line begins that announces it. */
  readonly at: number
}

const begin = /-?[ \t]*(?:'([^'\n]*)'|"([^"\n$`\\]*)"|([\w.-]+))(?=[\s;|&]|$)/y

/** What is not plain to read is undefined. */
function beginHereDocument(line: string, at: number): HereDocument | undefined {
  const begun = matchAt(begin, line, at)
  if (begun === undefined) return undefined
  const [all, single, double, bare] = begun
  return {
    end: single ?? double ?? bare ?? '',
    isQuoted: bare === undefined,
    isIndented: all.startsWith('-'),
    at: at + all.length,
  }
}

/** Its lines are no commands; but those without quotes can hold some. */
function skipHereDocument(
  line: string,
  from: number,
  { end, isQuoted, isIndented }: HereDocument,
): { readonly at: number; readonly isOpen: boolean } | undefined {
  let isOpen = false
  for (let at = from; at < line.length; ) {
    const stop = endOfLine(line, at)
    const written = line.slice(at, stop)
    at = stop + 1
    const text = isIndented ? written.replace(/^\t+/, '') : written
    if (text === end) return { at, isOpen }
    if (isQuoted) continue
    // It may be a command, or a line that goes on and is no end.
    if (/`|\$\(|\\$/.test(text)) return undefined
    isOpen ||= text.includes('$')
  }
  return undefined
}
