import { parseSync } from 'vite'

/**
 * A node of the syntax tree (ESTree with TypeScript).
 * @typedef {{ type: string, start: number, end: number, [key: string]: unknown }} SyntaxNode
 */

/**
 * Every node of a source file, outer nodes before inner ones.
 * @param {string} path
 * @param {string} text
 * @returns {SyntaxNode[]}
 */
export function syntaxNodes(path, text) {
  const { program, errors } = parseSync(path, text)
  const [error] = errors
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`)
  /** @type {SyntaxNode[]} */
  const nodes = []
  collect(program, nodes)
  return nodes
}

/**
 * @param {unknown} value
 * @param {SyntaxNode[]} nodes
 */
function collect(value, nodes) {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) nodes.push(value)
  for (const inner of Object.values(value)) collect(inner, nodes)
}

/**
 * @param {unknown} value
 * @returns {value is SyntaxNode}
 */
export function isNode(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string'
  )
}

/**
 * @param {string} text
 * @param {number} offset
 */
export function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length
}
