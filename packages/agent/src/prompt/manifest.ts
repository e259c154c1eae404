import { countCodePoints } from 'hookline'
import type {
  ManifestFragment,
  MergedEntry,
  MergedSection,
  PromptManifest,
} from 'hookline/lifecycle'
import { sha256 } from '../seal/sha256.ts'

/** Says where every piece of a compiled prompt came from. */
export function createManifest(
  instructions: string,
  sections: readonly MergedSection[],
  context: readonly MergedEntry[],
): PromptManifest {
  const own = instructions.trim()
  const base: ManifestFragment = {
    kind: 'base',
    id: 'instructions',
    hash: sha256(own),
    codePoints: countCodePoints(own),
    isCut: false,
  }
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
  return { fragments: [base, ...fragments, ...entries] }
}
