import { posix } from 'node:path'
import { Marked } from 'marked'

/**
 * A document as a page.
 * @typedef {object} Rendered
 * @property {string} path of the document
 * @property {string} page of the site
 * @property {string} title
 * @property {string} html
 * @property {Section[]} sections
 */

/**
 * What the search finds: a page up to its first heading, or what is under one.
 * @typedef {object} Section
 * @property {string} page
 * @property {string} title
 * @property {string} heading
 * @property {string} text
 */

/**
 * @typedef {object} Place
 * @property {string} path
 * @property {string} page
 * @property {(path: string) => string | undefined} pageOf
 */

/**
 * @param {string} text
 * @param {Place} place
 * @returns {Rendered}
 */
export function renderDocument(text, place) {
  const { path, page } = place
  const marked = new Marked({ gfm: true })
  const source = text.replace(/^\s*<!--[\s\S]*?-->\s*$/gm, '')
  const tokens = marked.lexer(source)
  const html = withHeadings(marked.parser(tokens))
  const title = plain(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? path)
  const linked = withTables(withLinks(html, place))
  return {
    path,
    page,
    title,
    html: linked,
    sections: sectionsOf(html, page, title),
  }
}

/**
 * As links name headings: small letters, no marks, dashes for spaces.
 * @param {string} text
 */
function slug(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** @param {string} html */
function withHeadings(html) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  return html.replace(
    /<h([1-4])>([\s\S]*?)<\/h\1>/g,
    (_, level, /** @type {string} */ inner) => {
      const name = slug(plain(inner))
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      const id = before === 0 ? name : `${name}-${before}`
      const mark =
        level === '1'
          ? ''
          : ` <a class="mark" href="#${id}" aria-label="Link to this">#</a>`
      return `<h${level} id="${id}">${inner}${mark}</h${level}>`
    },
  )
}

/**
 * Wide tables scroll by themselves.
 * @param {string} html
 */
function withTables(html) {
  return html
    .replaceAll('<table>', '<div class="wide"><table>')
    .replaceAll('</table>', '</table></div>')
}

/**
 * Links to documents lead to their pages; what is no page is named only.
 * @param {string} html
 * @param {Place} place
 */
function withLinks(html, place) {
  const anchors = html.replace(
    /<a href="([^"]*)"([^>]*)>([\s\S]*?)<\/a>/g,
    (whole, /** @type {string} */ href, rest, inner) => {
      if (/^[a-z][a-z+.-]*:|^#/i.test(href)) return whole
      const target = targetOf(href, place)
      if (target !== undefined) return `<a href="${target}"${rest}>${inner}</a>`
      const file = repositoryPath(href, place.path)
      return `<span class="source" title="${file} in the repository">${inner}</span>`
    },
  )
  return anchors.replace(
    /(src|srcset)="([^"]*)"/g,
    (whole, name, /** @type {string} */ href) => {
      const file = repositoryPath(href, place.path)
      if (!file.startsWith('docs/')) return whole
      return `${name}="${relative(place.page, file.slice('docs/'.length))}"`
    },
  )
}

/**
 * @param {string} href
 * @param {Place} place
 */
function targetOf(href, { path, page, pageOf }) {
  const [file = '', part] = href.split('#')
  const target = pageOf(repositoryPath(file, path))
  if (target === undefined) return undefined
  return relative(page, target) + (part === undefined ? '' : `#${part}`)
}

/**
 * @param {string} href
 * @param {string} path
 */
function repositoryPath(href, path) {
  return posix.join(posix.dirname(path), decodeURIComponent(href))
}

/**
 * @param {string} from a page
 * @param {string} to a page
 */
export function relative(from, to) {
  return posix.relative(posix.dirname(from), to) || posix.basename(to)
}

/**
 * @param {string} html
 * @param {string} page
 * @param {string} title
 * @returns {Section[]}
 */
function sectionsOf(html, page, title) {
  const [first = '', ...rest] = html.split(/(?=<h[2-4] id=)/)
  const words = first.replace(/<h1[\s\S]*?<\/h1>/, '')
  const intro = { page, title, heading: '', text: plain(words) }
  const others = rest.map((part) => {
    const [, id = '', inner = ''] =
      /<h\d id="([^"]*)">([\s\S]*?) <a class="mark"/.exec(part) ?? []
    const text = plain(part.replace(/^<h[\s\S]*?<\/h\d>/, ''))
    return { page: `${page}#${id}`, title, heading: plain(inner), text }
  })
  return [intro, ...others]
}

/** @param {string} html */
function plain(html) {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
}
