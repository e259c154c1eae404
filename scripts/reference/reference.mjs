import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { listFiles } from '../checks/project-files.mjs'

const folder = 'docs/reference'
const lifecycle = 'packages/core/src/lifecycle'
const note =
  '<!-- Made from the code by `npm run docs:sync`; what is written here by hand is lost. -->\n\n'

/**
 * The pages that are made from the code, by their paths. They need the built
 * packages.
 * @param {string} root
 * @returns {Promise<Map<string, string>>}
 */
async function makeReference(root) {
  // A tree without the packages has nothing to make it from.
  if (!existsSync(`${root}/${lifecycle}`)) return new Map()
  const read = (/** @type {string} */ path) =>
    readFileSync(`${root}/${path}`, 'utf8')
  const { pointsPage } = await import('./points-page.mjs')
  const pages = await import('./other-pages.mjs')
  const schema = JSON.parse(read('packages/daemon/dist/hookline.schema.json'))
  const sources = listFiles(root, lifecycle).filter(
    (path) => path.endsWith('.ts') && !path.includes('.test'),
  )
  const hasPage = (/** @type {string} */ name) =>
    existsSync(`${root}/docs/guide/hooks/${name}.md`)
  const made = {
    'points.md': pointsPage(read, sources),
    'answers.md': pages.answersPage(),
    'config.md': pages.configPage(schema),
    'hooks.md': pages.hooksPage(hasPage),
  }
  return new Map(
    Object.entries(made).map(([name, text]) => [
      `${folder}/${name}`,
      `${note}${text.trimEnd()}\n`,
    ]),
  )
}

/**
 * Pages that are not what the code says, or that nothing makes.
 * @param {string} root
 * @returns {Promise<import('../checks/report.mjs').Problem[]>}
 */
export async function checkReference(root) {
  const made = await makeReference(root)
  const there = existsSync(`${root}/${folder}`) ? listFiles(root, folder) : []
  const left = there.filter((file) => !made.has(file))
  const stale = [...made].filter(([file, text]) => {
    const path = `${root}/${file}`
    return !existsSync(path) || readFileSync(path, 'utf8') !== text
  })
  return [
    ...left.map((file) => problem(file, 'Nothing makes this page; remove it.')),
    ...stale.map(([file]) =>
      problem(file, 'The code says something else; run npm run docs:sync.'),
    ),
  ]
}

/**
 * @param {string} file
 * @param {string} message
 */
function problem(file, message) {
  return { file, line: 1, message }
}

/**
 * Writes the pages, and names those that changed.
 * @param {string} root
 */
export async function writeReference(root) {
  const made = await makeReference(root)
  const stale = new Set((await checkReference(root)).map(({ file }) => file))
  mkdirSync(`${root}/${folder}`, { recursive: true })
  const changed = [...made].filter(([file]) => stale.has(file))
  for (const [file, text] of changed) writeFileSync(`${root}/${file}`, text)
  return changed.map(([file]) => file)
}
