import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { findCycles } from './import-cycles.mjs'
import {
  areas,
  dependencyFree,
  testFixtures,
  testPackages,
} from './import-table.mjs'
import { forbiddenExportsOf, importsOf } from './imports.mjs'
import { isTest, listFiles } from './project-files.mjs'

/** @typedef {import('./imports.mjs').Import} Import */
/** @typedef {import('./report.mjs').Problem} Problem */

const FOLDERS = ['packages', 'examples', 'benchmarks', 'scripts']

/**
 * Holds the sources of a project to the table of import rules.
 * @param {string} root
 */
export function checkImports(root) {
  const files = FOLDERS.filter((folder) => existsSync(`${root}/${folder}`))
    .flatMap((folder) => listFiles(root, folder))
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
  /** @type {Problem[]} */
  const problems = []
  /** @type {Map<string, Import[]>} */
  const imports = new Map()
  for (const file of files) {
    const text = readFileSync(`${root}/${file}`, 'utf8')
    imports.set(file, importsOf(file, text))
    // Tools read their configuration as the default export, and nothing else.
    if (/\.config\.ts$/.test(file)) continue
    problems.push(...forbiddenExportsOf(file, text))
  }
  for (const [file, found] of imports) {
    problems.push(...brokenRules(file, found))
  }
  problems.push(...findCycles(imports), ...manifestProblems(root))
  return { files, problems }
}

/**
 * @param {string} file
 * @param {readonly Import[]} imports
 * @returns {Problem[]}
 */
function brokenRules(file, imports) {
  const area = areaOf(file)
  if (!area && /^packages\/[^/]+\/src\//.test(file)) {
    const message = 'No row of the import table covers this file; add one.'
    return [{ file, line: 1, message }]
  }
  return imports.flatMap(({ specifier, line }) => {
    const rule =
      distRule(specifier) ?? (area && areaRule(area, file, specifier))
    return rule
      ? [{ file, line, message: `imports ${specifier}, ${rule}` }]
      : []
  })
}

/** @param {string} specifier */
function distRule(specifier) {
  if (!specifier.split('/').includes('dist')) return undefined
  return 'but built files are imported by the name of their package.'
}

/**
 * @param {import('./import-table.mjs').Area} area
 * @param {string} file
 * @param {string} specifier
 */
function areaRule(area, file, specifier) {
  const packages = isTest(file) ? testPackages : area.packages
  if (!specifier.startsWith('.')) {
    if (packages.some((name) => isModuleOf(name, specifier))) return undefined
    return `but ${who(area, file)} may import only these packages: ${list(packages)}.`
  }
  const target = posix.join(posix.dirname(file), specifier)
  const forTests = [packageOf(file), ...testFixtures]
  if (isTest(file) && forTests.some((folder) => target.startsWith(folder))) {
    return undefined
  }
  const owner = areaOf(target)?.folder
  if (owner && [area.folder, ...area.areas].includes(owner)) return undefined
  return `but ${who(area, file)} may import only from: ${list([area.folder, ...area.areas])}.`
}

/**
 * The innermost area that holds a file.
 * @param {string} file
 */
function areaOf(file) {
  return areas
    .filter(({ folder }) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0]
}

/**
 * @param {string} name
 * @param {string} specifier
 */
function isModuleOf(name, specifier) {
  if (name.endsWith(':')) return specifier.startsWith(name)
  return specifier === name || specifier.startsWith(`${name}/`)
}

/**
 * @param {import('./import-table.mjs').Area} area
 * @param {string} file
 */
function who(area, file) {
  return isTest(file) ? `a test in ${area.folder}` : area.folder
}

/** @param {readonly string[]} names */
function list(names) {
  return names.length === 0 ? 'none' : names.join(', ')
}

/** @param {string} file */
function packageOf(file) {
  return `${file.split('/').slice(0, 2).join('/')}/`
}

/**
 * @param {string} root
 * @returns {Problem[]}
 */
function manifestProblems(root) {
  return dependencyFree.flatMap((folder) => {
    const file = `${folder}/package.json`
    const manifest = JSON.parse(readFileSync(`${root}/${file}`, 'utf8'))
    return ['dependencies', 'optionalDependencies', 'peerDependencies']
      .filter((key) => Object.keys(manifest[key] ?? {}).length > 0)
      .map((key) => ({
        file,
        line: 1,
        message: `names ${key}, but ${folder} has none.`,
      }))
  })
}
