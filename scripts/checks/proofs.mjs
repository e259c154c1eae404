import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { titledLinksOf } from './markdown.mjs'
import { testTitles } from './test-titles.mjs'

/** @typedef {import('./report.mjs').Problem} Problem */
/** @typedef {import('./markdown.mjs').TitledLink} TitledLink */

const STATEMENTS = 'docs/seeds.md'
const TEST = /\.test(-d)?\.tsx?$/
const DECISION = /\bdecisions\/\d{4}-/
const ROW = /^\| ([A-Z]\d*?)\.?(\d+) \|/

/**
 * Holds a document to the tests that it names, and statements to the code and
 * the tests, or the decision, that they name.
 * @param {string} root
 * @param {string} file
 * @param {string} text
 * @returns {Problem[]}
 */
export function proofProblems(root, file, text) {
  const links = titledLinksOf(text)
  const unshown = file === STATEMENTS ? statementProblems(text, links) : []
  return [...unknownTests(root, file, links), ...unshown]
}

/**
 * The text of a link to a file of tests is the name of that file, or the title
 * of a test that is run. A file that is not there is a problem of its own.
 * @param {string} root
 * @param {string} file
 * @param {readonly TitledLink[]} links
 * @returns {Problem[]}
 */
function unknownTests(root, file, links) {
  /** @type {Map<string, Set<string>>} */
  const titles = new Map()
  return links.flatMap(({ title, target, line }) => {
    const path = posix.join(posix.dirname(file), target)
    if (!TEST.test(target) || !existsSync(`${root}/${path}`)) return []
    const known = titles.get(path) ?? titlesIn(root, path)
    titles.set(path, known)
    if (known.has(title) || title === posix.basename(path)) return []
    const message = `There is no test "${title}" in ${target}.`
    return [{ file, line, message }]
  })
}

/**
 * @param {string} root
 * @param {string} path
 */
function titlesIn(root, path) {
  const all = testTitles(path, readFileSync(`${root}/${path}`, 'utf8'))
  const run = all.filter(({ isSkipped }) => !isSkipped)
  return new Set(run.map(({ text }) => text))
}

/**
 * @param {string} text
 * @param {readonly TitledLink[]} links
 * @returns {Problem[]}
 */
function statementProblems(text, links) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  return text.split('\n').flatMap((content, index) => {
    const [, group, number] = ROW.exec(content) ?? []
    if (group === undefined) return []
    const line = index + 1
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    const numbered = (/** @type {unknown} */ n) =>
      group.length > 1 ? `${group}.${n}` : `${group}${n}`
    const targets = links
      .filter((link) => link.line === line)
      .map(({ target }) => target)
    const isDecided = targets.some((target) => DECISION.test(target))
    const hasTest = targets.some((target) => TEST.test(target))
    const hasCode = targets.some((target) => !TEST.test(target))
    const what =
      (Number(number) !== count && `should be ${numbered(count)}.`) ||
      (!isDecided && !hasTest && 'names neither a test nor a decision.') ||
      (!isDecided && !hasCode && 'names neither code nor a decision.')
    const message = `${numbered(number)} ${what}`
    return what ? [{ file: STATEMENTS, line, message }] : []
  })
}
