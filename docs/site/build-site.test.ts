import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSite } from './build-site.mjs'

const root = resolve(import.meta.dirname, '../..')
let target = ''
let pages: string[] = []

beforeAll(() => {
  target = mkdtempSync(join(tmpdir(), 'hookline-site-'))
  pages = buildSite(root, join(target, 'site'))
})
afterAll(() => rmSync(target, { recursive: true, force: true }))

const read = (page: string) => readFileSync(join(target, 'site', page), 'utf8')

/** The ids that links to parts of a page can name. */
function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${id}`))
}

test('every link of every page leads to a file, and to a part that is in it', () => {
  const wrong: string[] = []
  let count = 0
  for (const page of pages) {
    const html = read(page)
    for (const [, link = ''] of html.matchAll(
      /(?:href|src|srcset)="([^"]+)"/g,
    )) {
      if (/^https?:/.test(link)) continue
      count += 1
      const [file = '', part] = link.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      const isThere = existsSync(join(target, 'site', path))
      const hasPart =
        part === undefined || (isThere && idsOf(read(path)).has(part))
      if (!isThere || !hasPart) wrong.push(`${page}: ${link}`)
    }
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(1_000)
})

test('no page loads anything from elsewhere', () => {
  for (const page of pages) {
    expect(read(page)).not.toMatch(/<(?:script|link|img|source)[^>]+"https?:/)
  }
})

test('every page but the first and the list of the guide is in the navigation', () => {
  const home = read('index.html')
  const listed = pages.filter((page) => home.includes(`<li><a href="${page}"`))
  const rest = pages.filter((page) => !listed.includes(page))
  expect(rest).toEqual(['index.html', 'guide/index.html'])
})

test('the search has every page, and its parts by their headings', () => {
  const entries = read('assets/search-entries.js')
  for (const page of pages) expect(entries).toContain(`"page":"${page}"`)
  expect(entries).toContain('"page":"reference/points.html#toolguard"')
})
