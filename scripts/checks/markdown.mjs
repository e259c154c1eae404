/**
 * A fenced block. Lines count from 1; the code stands between the two fences.
 * @typedef {object} Block
 * @property {string} language
 * @property {string} code
 * @property {string} indent
 * @property {number} openLine
 * @property {number} closeLine
 * @property {string} lead the last line before the block that is not empty
 */

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)/

/**
 * @param {string} text
 * @returns {Block[]}
 */
export function fencedBlocks(text) {
  const lines = text.split('\n')
  /** @type {Block[]} */
  const blocks = []
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent, fence, language] = FENCE.exec(lines[index] ?? '') ?? []
    if (indent === undefined || !fence) continue
    const close = closeOf(lines, index + 1, fence)
    const code = lines
      .slice(index + 1, close)
      .map((line) =>
        line.startsWith(indent) ? line.slice(indent.length) : line,
      )
    blocks.push({
      language: language ?? '',
      code: code.join('\n'),
      indent,
      openLine: index + 1,
      closeLine: close + 1,
      lead: lines.slice(0, index).findLast((line) => line.trim() !== '') ?? '',
    })
    index = close
  }
  return blocks
}

/**
 * @param {readonly string[]} lines
 * @param {number} from
 * @param {string} fence
 */
function closeOf(lines, from, fence) {
  const close = lines.findIndex((line, index) => {
    const mark = line.trim()
    return index >= from && mark.startsWith(fence) && !/[^`~]/.test(mark)
  })
  return close < 0 ? lines.length : close
}

/**
 * The targets of links and images outside of code.
 * @param {string} text
 * @returns {{ target: string, line: number }[]}
 */
export function linksOf(text) {
  return proseLines(text).flatMap(({ content, line }) => {
    const prose = content.replace(/`[^`]*`/g, '')
    return [...prose.matchAll(LINK)].map((match) => {
      return { target: match.slice(1).find(Boolean) ?? '', line }
    })
  })
}

/**
 * A link by the text that is shown, without its escapes, and the file it leads
 * to, without a place in it.
 * @typedef {{ title: string, target: string, line: number }} TitledLink
 */

/**
 * @param {string} text
 * @returns {TitledLink[]}
 */
export function titledLinksOf(text) {
  return proseLines(text).flatMap(({ content, line }) => {
    return [...content.matchAll(TITLED)].map(([, title = '', target = '']) => {
      return { title: title.replace(/\\(.)/g, '$1'), target, line }
    })
  })
}

/** @param {string} text */
function proseLines(text) {
  const blocks = fencedBlocks(text)
  return text.split('\n').flatMap((content, index) => {
    const line = index + 1
    const isCode = blocks.some((block) => {
      return line >= block.openLine && line <= block.closeLine
    })
    return isCode ? [] : [{ content, line }]
  })
}

// [text](target), [name]: target, and the attributes of HTML.
const LINK =
  /\]\(\s*<?([^)\s>]+)|^\s*\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/g

const TITLED = /\[((?:\\.|[^\\[\]])+)\]\(([^)\s#]+)/g
