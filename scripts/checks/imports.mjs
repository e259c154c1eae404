import { lineAt, syntaxNodes } from './syntax.mjs'

/**
 * One import of a source file. A type-only import is gone at run time.
 * @typedef {{ specifier: string, line: number, isTypeOnly: boolean }} Import
 */

/**
 * Everything a file imports: static, re-exported, dynamic, and in types.
 * @param {string} path
 * @param {string} text
 * @returns {Import[]}
 */
export function importsOf(path, text) {
  return syntaxNodes(path, text).flatMap((node) => {
    const source = IMPORTING.has(node.type) ? literalOf(node['source']) : null
    if (source === null) return []
    const isTypeOnly =
      node.type === 'TSImportType' ||
      node['importKind'] === 'type' ||
      node['exportKind'] === 'type'
    return [{ specifier: source, line: lineAt(text, node.start), isTypeOnly }]
  })
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

/** @param {unknown} node */
function literalOf(node) {
  if (typeof node !== 'object' || node === null) return null
  return 'value' in node && typeof node.value === 'string' ? node.value : null
}

const FORBIDDEN_EXPORTS = new Map([
  ['ExportAllDeclaration', '`export *` hides what is exported; name each.'],
  ['ExportDefaultDeclaration', 'A default export has no name; export a name.'],
])

/**
 * The exports that no file may have.
 * @param {string} path
 * @param {string} text
 * @returns {import('./report.mjs').Problem[]}
 */
export function forbiddenExportsOf(path, text) {
  return syntaxNodes(path, text).flatMap((node) => {
    const message = isDefaultAlias(node)
      ? FORBIDDEN_EXPORTS.get('ExportDefaultDeclaration')
      : FORBIDDEN_EXPORTS.get(node.type)
    return message
      ? [{ file: path, line: lineAt(text, node.start), message }]
      : []
  })
}

/** @param {import('./syntax.mjs').SyntaxNode} node */
function isDefaultAlias(node) {
  if (node.type !== 'ExportSpecifier') return false
  const exported = node['exported']
  if (typeof exported !== 'object' || exported === null) return false
  return 'name' in exported && exported.name === 'default'
}
