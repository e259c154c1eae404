import type { Document, YAMLMap } from 'yaml'
import { AgentError } from '../ports/agent-error.ts'

/** YAML or JSON as plain data: no aliases, no tags, no key twice. */
export async function readYaml(text: string): Promise<unknown> {
  const { isScalar, LineCounter, parseDocument, visit } = await import('yaml')
  const lines = new LineCounter()
  const document: Document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    stringKeys: true,
    // Looks at every pair of keys: 25 seconds for a map of 800 kB.
    uniqueKeys: false,
    lineCounter: lines,
  })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) throw unreadable(problem.message)
  const at = (offset = 0) => {
    const { line, col } = lines.linePos(offset)
    return `at line ${line}, column ${col}`
  }
  visit(document, {
    Alias: (_, { range }) => {
      throw unreadable(`An alias ${at(range?.[0])}: say what it stands for`)
    },
    Map: (_, map: YAMLMap) => {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) {
          throw unreadable(`A key is there twice ${at(key.range?.[0])}`)
        }
        seen.add(key.value)
      }
    },
  })
  return document.toJS()
}

function unreadable(problem: string): AgentError {
  // What follows the first line draws the place.
  const [what = ''] = problem.split('\n')
  const said = what.replace(/[:.]$/, '')
  return new AgentError('invalid-script', `The script cannot be read: ${said}.`)
}
