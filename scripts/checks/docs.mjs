import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { drawImports } from '../house/import-graph.mjs'
import { fencedBlocks, linksOf } from './markdown.mjs'
import { listFiles } from './project-files.mjs'
import { proofProblems } from './proofs.mjs'
import { readRegion } from './regions.mjs'

/** @typedef {import('./report.mjs').Problem} Problem */

const MARKER = /^\s*<!-- (?:region (\S+)#(\S+)|file (\S+)|drawn (\S+)) -->\s*$/
/** Pictures that are made from the sources. */
const DRAWN = new Map([['imports', drawImports]])
/** Languages whose code is taken from a file that something runs. */
const TAKEN = new Set(['ts', 'tsx', 'typescript', 'yaml', 'python'])

/**
 * Holds code and pictures in the documents to the sources they were made from,
 * relative links to files that exist, and the tests that are named to tests.
 * @param {string} root
 * @returns {{ files: string[], problems: Problem[] }}
 */
export function checkDocs(root) {
  const files = markdownFiles(root)
  const problems = files.flatMap((file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8')
    const code = showsCode(file) ? codeProblems(root, file, text) : []
    const links = linkProblems(root, file, text)
    return [...code, ...links, ...proofProblems(root, file, text)]
  })
  return { files, problems }
}

/**
 * Rewrites every marked block that differs from its region, and names the
 * documents that changed.
 * @param {string} root
 */
export function syncDocs(root) {
  return markdownFiles(root).filter((file) => {
    if (!showsCode(file)) return false
    const before = readFileSync(`${root}/${file}`, 'utf8')
    const lines = before.split('\n')
    for (const block of fencedBlocks(before).reverse()) {
      const { region } = sourceOf(root, block)
      if (region === undefined) continue
      const code = region.split('\n').map((line) => line && block.indent + line)
      lines.splice(
        block.openLine,
        block.closeLine - block.openLine - 1,
        ...code,
      )
    }
    const after = lines.join('\n')
    if (after !== before) writeFileSync(`${root}/${file}`, after)
    return after !== before
  })
}

/** @param {string} root */
function markdownFiles(root) {
  return listFiles(root).filter((path) => path.endsWith('.md'))
}

/** @param {string} file */
function showsCode(file) {
  return /^(README|ARCHITECTURE)\.md$|^docs\//.test(file)
}

/** @param {string} file */
function mustBeTaken(file) {
  return file === 'README.md' || file.startsWith('docs/guide/')
}

/**
 * @param {string} root
 * @param {string} file
 * @param {string} text
 * @returns {Problem[]}
 */
function codeProblems(root, file, text) {
  const blocks = fencedBlocks(text).filter(({ language, lead }) => {
    return TAKEN.has(language) || MARKER.test(lead)
  })
  const wrong = blocks.flatMap((block) => {
    const { marker, region } = sourceOf(root, block)
    const line = block.openLine
    if (!marker) {
      const message = 'The code has no region marker, so nothing runs it.'
      return mustBeTaken(file) ? [{ file, line, message }] : []
    }
    if (region === undefined) {
      return [{ file, line, message: `There is no ${marker}.` }]
    }
    const message = `The code differs from ${marker}; run npm run docs:sync.`
    return region === block.code ? [] : [{ file, line, message }]
  })
  return [...wrong, ...looseMarkers(file, text, blocks)]
}

/**
 * Markers that stand before no block of code.
 * @param {string} file
 * @param {string} text
 * @param {readonly import('./markdown.mjs').Block[]} blocks
 * @returns {Problem[]}
 */
function looseMarkers(file, text, blocks) {
  const leads = new Set(blocks.map(({ lead }) => lead))
  const message = 'The region marker stands before no block of code.'
  return text.split('\n').flatMap((content, index) => {
    const isLoose = MARKER.test(content) && !leads.has(content)
    return isLoose ? [{ file, line: index + 1, message }] : []
  })
}

/**
 * @param {string} root
 * @param {import('./markdown.mjs').Block} block
 * @returns {{ marker?: string, region?: string | undefined }}
 */
function sourceOf(root, block) {
  const [, inside, name, whole, drawn] = MARKER.exec(block.lead) ?? []
  if (drawn) {
    return { marker: `drawn ${drawn}`, region: DRAWN.get(drawn)?.(root) }
  }
  const path = inside ?? whole
  if (!path) return {}
  const marker = name ? `region ${path}#${name}` : `file ${path}`
  if (!existsSync(`${root}/${path}`)) return { marker }
  const source = readFileSync(`${root}/${path}`, 'utf8')
  const region = name ? readRegion(source, name) : source.trimEnd()
  return { marker, region }
}

/**
 * @param {string} root
 * @param {string} file
 * @param {string} text
 * @returns {Problem[]}
 */
function linkProblems(root, file, text) {
  return linksOf(text).flatMap(({ target, line }) => {
    const isOutside = /^[a-z][a-z+.-]*:|^#/i.test(target)
    if (isOutside || existsSync(`${root}/${pathOf(file, target)}`)) return []
    const message = `The link to ${target} leads to no file.`
    return [{ file, line, message }]
  })
}

/**
 * @param {string} file
 * @param {string} target
 */
function pathOf(file, target) {
  const path = decodeURIComponent(target.replace(/[?#].*$/, ''))
  return path.startsWith('/') ? path : posix.join(posix.dirname(file), path)
}
