import { countCodePoints } from 'hookline'
import {
  type AgentConfig,
  type ManifestFragment,
  type MergedEntry,
  type MergedSection,
  type PromptFragment,
  type PromptManifest,
  promptBudgets,
} from 'hookline/lifecycle'
import { sha256 } from '../seal/sha256.ts'
import type { PromptBase } from './compile-system.ts'

/** What hooks have written into a prompt. */
export interface WrittenPrompt {
  readonly sections: readonly MergedSection[]
  readonly context: readonly MergedEntry[]
  /** How often they could write context. */
  readonly moments: number
}

/** What the agent brings, and how much hooks may write. */
type WrittenInto = PromptBase & Pick<AgentConfig, 'budgets'>

/** Says where every piece of a compiled prompt came from. */
export function createManifest(
  { instructions, fragments: own = [], budgets = {} }: WrittenInto,
  { sections, context, moments }: WrittenPrompt,
): PromptManifest {
  const first = { id: 'instructions', content: instructions.trim() }
  const base = [first, ...own].map(describeBase)
  const fragments = sections.flatMap(({ section, fragments }) =>
    fragments.map(({ hook, content, codePoints, isCut }) => {
      const hash = sha256(content)
      const kind = 'section' as const
      return { kind, id: section, hook, hash, codePoints, isCut }
    }),
  )
  const entries = context.map(({ id, hook, content, codePoints, isCut }) => {
    const hash = sha256(content)
    return { kind: 'context' as const, id, hook, hash, codePoints, isCut }
  })
  const { maxCodePoints: section = promptBudgets.section } =
    budgets.sections ?? {}
  const { maxCodePoints: each = promptBudgets.context } = budgets.context ?? {}
  return {
    fragments: [...base, ...fragments, ...entries],
    budgets: { section, context: each * moments },
  }
}

function describeBase({
  id,
  plugin,
  content,
}: PromptFragment): ManifestFragment {
  return {
    kind: 'base',
    id,
    ...(plugin !== undefined && { plugin }),
    hash: sha256(content),
    codePoints: countCodePoints(content),
    isCut: false,
  }
}
