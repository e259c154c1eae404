import { isNode, lineAt, syntaxNodes } from './syntax.mjs'

/** @typedef {import('./syntax.mjs').SyntaxNode} SyntaxNode */

/**
 * The title of a test or a group of tests. One that is skipped, or stands in a
 * skipped group, proves nothing.
 * @typedef {{ text: string, line: number, isSkipped: boolean }} Title
 */

/** In a table of cases, a text that begins with an id names a test. */
const ROW = /^[FTI]\d{1,4} /

const FUNCTIONS = new Set(['test', 'it', 'describe', 'suite'])

/**
 * @param {string} path
 * @param {string} text
 * @returns {Title[]}
 */
export function testTitles(path, text) {
  const calls = syntaxNodes(path, text).flatMap((node) => {
    const title =
      node.type === 'CallExpression' ? titleOf(node, text) : undefined
    return title === undefined ? [] : [{ node, title, chain: chainOf(node) }]
  })
  const skipped = calls
    .filter(({ chain }) => chain.includes('skip') || chain.includes('todo'))
    .map(({ node }) => node)
  const rows = syntaxNodes(path, text).flatMap((node) => {
    const title = node['value']
    const isRow = typeof title === 'string' && ROW.test(title)
    return isRow ? [{ node, title }] : []
  })
  /** @param {SyntaxNode} node */
  const isSkipped = (node) =>
    skipped.some(({ start, end }) => node.start >= start && node.end <= end)
  const titled = new Set(calls.map(({ title }) => title))
  return [...calls, ...rows.filter(({ title }) => !titled.has(title))].map(
    ({ node, title }) => ({
      text: title,
      line: lineAt(text, node.start),
      isSkipped: isSkipped(node),
    }),
  )
}

/**
 * The title of `test('…')`, `test.each(table)('…')` and the like.
 * @param {SyntaxNode} call
 * @param {string} text
 */
function titleOf(call, text) {
  const [root = ''] = chainOf(call)
  if (!FUNCTIONS.has(root)) return undefined
  const title = Array.isArray(call['arguments']) && call['arguments'][0]
  if (!isNode(title)) return undefined
  if (typeof title['value'] === 'string') return title['value']
  if (title.type !== 'TemplateLiteral') return undefined
  return text.slice(title.start, title.end)
}

/**
 * The names a call is made of: `test.skip.each(table)('…')` gives test, skip,
 * each.
 * @param {unknown} node
 * @returns {string[]}
 */
function chainOf(node) {
  if (!isNode(node)) return []
  if (typeof node['name'] === 'string') return [node['name']]
  if (node.type === 'MemberExpression') {
    return [...chainOf(node['object']), ...chainOf(node['property'])]
  }
  return chainOf(node['callee'] ?? node['tag'])
}
