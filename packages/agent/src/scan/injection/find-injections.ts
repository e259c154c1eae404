import type { Find, Finding } from '../finding.ts'
import { findThrough } from '../folded-text.ts'
import { joinFindings } from '../spans.ts'
import { findEncoded } from './encoded.ts'
import { findHidden } from './hidden.ts'
import { findImages } from './images.ts'
import { phrases } from './phrases.ts'
import { foldMarkup } from './plain-text.ts'
import { findWrapped } from './wrapped.ts'

export const injectionKinds = [
  'encoded',
  'exfiltration',
  'hidden-text',
  'hidden-markup',
  'override',
  'role',
  'secrecy',
  'tool-use',
] as const

export type InjectionKind = (typeof injectionKinds)[number]

/**
 * Finds text that speaks to a model rather than to a reader, and text that
 * readers do not see. A heuristic: whoever knows it can write around it.
 */
export function createInjectionFinder(
  except: readonly InjectionKind[] = [],
): Find {
  const left = new Set<string>(except)
  const findWords = findThrough(
    (text) => [...findPhrases(text), ...findEncoded(text, findPhrases)],
    foldMarkup,
  )
  return (text) => {
    const found: Finding[] = [
      ...findHidden(text),
      ...findWords(text),
      ...findWrapped(text, findPhrases),
      ...findImages(text),
    ]
    return joinFindings(found.filter(({ kind }) => !left.has(kind)))
  }
}

function findPhrases(text: string): readonly Finding[] {
  return phrases.flatMap(({ kind, pattern }) =>
    Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({
      kind,
      start: index,
      end: index + length,
    })),
  )
}
