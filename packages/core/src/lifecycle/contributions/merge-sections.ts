import { truncate } from '../../define/code-points.ts'
import type { Contributed } from '../../engine/index.ts'
import {
  diagnose,
  fillSection,
  type MergedSection,
  type SectionDiagnostic,
  type TrimmedFragment,
} from './fill-section.ts'
import { promptBudgets } from './prompt-budgets.ts'
import type { SectionFragment } from './prompt-section.ts'

/** Code points of contents; a title is bounded by its check. */
export interface SectionBudget {
  /** Default 16. */
  readonly maxSections?: number
  /** Of one section; default 8 000. */
  readonly maxSectionCodePoints?: number
  /** Of all sections together; default 16 000. */
  readonly maxCodePoints?: number
}

export interface MergedSections {
  readonly sections: readonly MergedSection[]
  readonly diagnostics: readonly SectionDiagnostic[]
}

/**
 * Fragments by `order`, then as given, joined section by section until a
 * budget is used. A section stands where its first fragment does.
 */
export function mergeSections(
  contributed: readonly Contributed<SectionFragment>[],
  budget: SectionBudget = {},
): MergedSections {
  const {
    maxSections = 16,
    maxSectionCodePoints = 8_000,
    maxCodePoints = promptBudgets.section,
  } = budget
  const { fragments, diagnostics } = trimFragments(contributed)
  const sections: MergedSection[] = []
  let left = maxCodePoints
  for (const given of groupBySection(fragments)) {
    const room = Math.min(left, maxSectionCodePoints)
    if (sections.length >= maxSections || room <= 0) {
      diagnostics.push(...given.map((one) => diagnose('section.omitted', one)))
      continue
    }
    const filled = fillSection(given, room)
    sections.push(filled.section)
    diagnostics.push(...filled.diagnostics)
    left -= filled.section.codePoints
  }
  return { sections, diagnostics }
}

function trimFragments(contributed: readonly Contributed<SectionFragment>[]): {
  fragments: readonly TrimmedFragment[]
  diagnostics: SectionDiagnostic[]
} {
  const fragments: TrimmedFragment[] = []
  const diagnostics: SectionDiagnostic[] = []
  for (const { by: hook, value } of contributed.toSorted(byOrder)) {
    const { section, title, maxCodePoints } = value
    const whole = value.content.trim()
    const { text, cut } = truncate(whole, maxCodePoints ?? whole.length)
    if (text === '') {
      diagnostics.push(diagnose('section.fragment-omitted', { hook, section }))
      continue
    }
    const fragment = { hook, section, title, content: text, isCut: cut }
    if (cut) diagnostics.push(diagnose('section.fragment-truncated', fragment))
    fragments.push(fragment)
  }
  return { fragments, diagnostics }
}

function byOrder(
  a: Contributed<SectionFragment>,
  b: Contributed<SectionFragment>,
): number {
  return (a.value.order ?? 100) - (b.value.order ?? 100)
}

type Group = [TrimmedFragment, ...TrimmedFragment[]]

function groupBySection(
  fragments: readonly TrimmedFragment[],
): Iterable<Group> {
  const groups = new Map<string, Group>()
  for (const fragment of fragments) {
    const group = groups.get(fragment.section)
    if (group === undefined) groups.set(fragment.section, [fragment])
    else group.push(fragment)
  }
  return groups.values()
}
