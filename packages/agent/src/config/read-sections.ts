import { isProjectScope } from './layer.ts'
import type { ConfigNode } from './node.ts'
import { quote } from './problem.ts'
import type { Report } from './report.ts'
import type { ConfigSection, SectionValue } from './section.ts'
import { unknownKey } from './shape/containers.ts'
import { wrongType } from './shape/scalars.ts'

export interface SectionReading {
  readonly report: Report
  readonly hash: string
  /** Somebody trusts these very bytes, or they are not a project's. */
  readonly isTrusted: boolean
}

/** Reads every section of a file; what is wrong is in the report. */
export function readSections(
  root: ConfigNode,
  sections: readonly ConfigSection[],
  { report, hash, isTrusted }: SectionReading,
): readonly SectionValue[] {
  if (root.type !== 'map') {
    wrongType(root, { report, path: [] }, 'an object with a list of hooks')
    return []
  }
  const { file, layer } = report
  return root.entries.flatMap(({ key, keyAt, node }): SectionValue[] => {
    const reading = { report, path: [key] }
    const section = sections.find(({ name }) => name === key)
    if (section === undefined) {
      const known = sections.map(({ name }) => name)
      unknownKey(key, known, { ...reading, at: keyAt })
      return []
    }
    if (section.layers?.includes(layer) === false) {
      const message = `The key ${quote(key)} is not accepted from a ${layer} file, ${quote(file)}; it belongs into: ${section.layers.join(', ')}.`
      report.add({ code: 'refused-key', at: keyAt, path: [key], message })
      return []
    }
    const isHeld = section.needsTrust === true && isProjectScope(layer)
    if (isHeld && !isTrusted) {
      const message = `The key ${quote(key)} of a ${layer} file, ${quote(file)}, counts only when that is trusted (${hash}); trust it if you know it.`
      const severity = 'warning'
      const code = 'needs-trust'
      report.add({ code, severity, at: keyAt, path: [key], message })
      return []
    }
    const value = section.shape.read(node, reading)
    return value === undefined
      ? []
      : [{ name: key, value, layer, file, at: keyAt }]
  })
}
