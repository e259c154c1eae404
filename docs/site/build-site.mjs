// Makes pages of the documents: `npm run docs`. They need no server and load
// nothing from elsewhere.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { listFiles } from '../../scripts/checks/project-files.mjs'
import { navigation } from './navigation.mjs'
import { pageHtml } from './page-html.mjs'
import { renderDocument } from './render-document.mjs'

const { resolve: find } = createRequire(import.meta.url)
const assets = resolve(import.meta.dirname, 'assets')

/** What is not in the folder of documents. */
const roots = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']

/**
 * Where the page of a document is; undefined where it has none.
 * @param {string} path
 */
export function pageOf(path) {
  if (!path.endsWith('.md')) return undefined
  const isRoot = roots.includes(path)
  if (!isRoot && !path.startsWith('docs/')) return undefined
  const name = path.replace(/^docs\//, '').replace(/\.md$/, '.html')
  return name.replace(/README\.html$/, 'index.html').toLowerCase()
}

/**
 * @param {string} root
 * @param {string} target
 * @returns {string[]} the pages
 */
export function buildSite(root, target) {
  const inDocs = listFiles(root, 'docs').filter(
    (path) => !path.startsWith('docs/site/'),
  )
  const paths = [...roots, ...inDocs.filter((path) => path.endsWith('.md'))]
  const documents = paths.map((path) => {
    const text = readFileSync(`${root}/${path}`, 'utf8')
    return renderDocument(text, { path, page: pageOf(path) ?? '', pageOf })
  })
  const groups = navigation(documents)
  rmSync(target, { recursive: true, force: true })
  for (const document of documents) {
    write(`${target}/${document.page}`, pageHtml(document, groups))
  }
  for (const path of inDocs.filter((path) => /\.(svg|webp|png)$/.test(path))) {
    const place = `${target}/${path.replace(/^docs\//, '')}`
    mkdirSync(dirname(place), { recursive: true })
    cpSync(`${root}/${path}`, place)
  }
  cpSync(assets, `${target}/assets`, { recursive: true })
  const umd = resolve(dirname(find('minisearch')), '../umd/index.js')
  const search = readFileSync(umd, 'utf8').replace(/^\/\/# source.*$/m, '')
  write(`${target}/assets/minisearch.js`, search)
  const entries = documents.flatMap(({ sections }) => sections)
  const listed = entries.map((entry, id) => ({ id, ...entry }))
  const index = `window.searchEntries = ${JSON.stringify(listed)}\n`
  write(`${target}/assets/search-entries.js`, index)
  return documents.map(({ page }) => page)
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '../..')
  const target = resolve(import.meta.dirname, 'dist')
  const pages = buildSite(root, target)
  console.log(`${pages.length} pages: ${target}/index.html`)
}
