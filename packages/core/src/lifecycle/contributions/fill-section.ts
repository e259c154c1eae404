import { countCodePoints, truncate } from '../../define/code-points.ts'
import type { MergeDiagnostic } from './merge-diagnostic.ts'

/** A section as it goes into the prompt, and who wrote which part of it. */
export interface MergedSection {
  readonly section: string
  readonly title: string | undefined
  readonly content: string
  readonly codePoints: number
  /** Whether a fragment in it was cut, or one had to be left out. */
  readonly isCut: boolean
  readonly fragments: readonly MergedFragment[]
}

export interface MergedFragment {
  readonly hook: string
  readonly content: string
  readonly codePoints: number
  readonly isCut: boolean
}

export type SectionDiagnostic = MergeDiagnostic<
  | 'section.fragment-truncated'
  | 'section.fragment-omitted'
  | 'section.truncated'
  | 'section.omitted'
  | 'section.title-conflict'
>

/** A fragment that has something to say, within its own maximum. */
export interface TrimmedFragment {
  readonly hook: string
  readonly section: string
  readonly title: string | undefined
  readonly content: string
  readonly isCut: boolean
}

const separator = '\n\n'

/** Joins the fragments of one section, in order, as far as there is room. */
export function fillSection(
  given: readonly [TrimmedFragment, ...TrimmedFragment[]],
  room: number,
): { section: MergedSection; diagnostics: readonly SectionDiagnostic[] } {
  const { title, diagnostics } = chooseTitle(given)
  const fragments: MergedFragment[] = []
  let codePoints = 0
  for (const fragment of given) {
    const gap = fragments.length === 0 ? 0 : separator.length
    const free = room - codePoints - gap
    if (free <= 0) {
      diagnostics.push(diagnose('section.fragment-omitted', fragment))
      continue
    }
    const { text, cut } = truncate(fragment.content, free)
    if (cut) diagnostics.push(diagnose('section.truncated', fragment))
    const { hook, isCut } = fragment
    const size = countCodePoints(text)
    fragments.push({
      hook,
      content: text,
      codePoints: size,
      isCut: cut || isCut,
    })
    codePoints += gap + size
  }
  const section = {
    section: given[0].section,
    title,
    content: fragments.map(({ content }) => content).join(separator),
    codePoints,
    isCut:
      fragments.length < given.length || fragments.some(({ isCut }) => isCut),
    fragments,
  }
  return { section, diagnostics }
}

function chooseTitle(given: readonly TrimmedFragment[]): {
  title: string | undefined
  diagnostics: SectionDiagnostic[]
} {
  const titled = given.filter(({ title }) => title !== undefined)
  const title = titled[0]?.title
  const rivals = titled.filter((fragment) => fragment.title !== title)
  const diagnostics = rivals.map((fragment) =>
    diagnose('section.title-conflict', fragment),
  )
  return { title, diagnostics }
}

const sayings: Readonly<Record<SectionDiagnostic['code'], string>> = {
  'section.fragment-truncated': 'is cut to its own maximum',
  'section.fragment-omitted': 'is left out: it is empty, or there is no room',
  'section.truncated': 'is cut: the section or the prompt is full',
  'section.omitted': 'is left out with its section: the prompt is full',
  'section.title-conflict': 'has another title than the first, which is kept',
}

/** Says what happened to a fragment, without its title or content. */
export function diagnose(
  code: SectionDiagnostic['code'],
  { hook, section }: { readonly hook: string; readonly section: string },
): SectionDiagnostic {
  const message = `What hook "${hook}" adds to section "${section}" ${sayings[code]}.`
  return { code, hook, message }
}
