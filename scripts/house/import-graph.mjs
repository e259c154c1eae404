import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { importsOf } from '../checks/imports.mjs'
import { isSource, packagesOf } from './sources.mjs'

/**
 * Which folder of a package imports which, as `from → to`; the files that
 * stand beside the folders put them together, and are left out. Tests count
 * for nothing.
 * @typedef {{ name: string, folders: string[], edges: Map<string, Set<string>>, packages: Set<string> }} PackageGraph
 */

/**
 * A picture of all packages in the words of Mermaid.
 * @param {string} root
 */
export function drawImports(root) {
  const graphs = packagesOf(root).map((one) => graphOf(root, one))
  const names = new Set(graphs.map(({ name }) => name))
  const lines = graphs.flatMap(({ name, folders, edges }) => [
    `  subgraph ${name}`,
    ...folders.map((folder) => `    ${idOf(name, folder)}["${folder}/"]`),
    ...shortest(edges).map(([from, to]) => {
      return `    ${idOf(name, from)} --> ${idOf(name, to)}`
    }),
    '  end',
  ])
  const between = new Map(
    graphs.map(({ name, packages }) => {
      return [name, new Set([...packages].filter((one) => names.has(one)))]
    }),
  )
  return [
    'flowchart TB',
    ...lines,
    ...shortest(between).map(([from, to]) => `  ${from} --> ${to}`),
  ].join('\n')
}

/**
 * @param {string} root
 * @param {import('./sources.mjs').Package} one
 * @returns {PackageGraph}
 */
function graphOf(root, { name, files }) {
  /** @type {PackageGraph['edges']} */
  const edges = new Map()
  /** @type {Set<string>} */
  const packages = new Set()
  for (const file of files.filter(isSource)) {
    const from = folderOf(file)
    if (from !== undefined && !edges.has(from)) edges.set(from, new Set())
    const text = readFileSync(`${root}/${file}`, 'utf8')
    for (const { specifier } of importsOf(file, text)) {
      const other = packageOf(specifier)
      if (other !== undefined && other !== name) packages.add(other)
      if (!specifier.startsWith('.') || from === undefined) continue
      const to = folderOf(posix.join(posix.dirname(file), specifier))
      if (to !== undefined && to !== from) edges.get(from)?.add(to)
    }
  }
  const folders = [...edges.keys()].sort()
  return { name, folders, edges, packages }
}

/** @param {string} file */
function folderOf(file) {
  return /^packages\/[^/]+\/src\/([^/]+)\//.exec(file)?.[1]
}

/**
 * The package of ours that a specifier names.
 * @param {string} specifier
 */
function packageOf(specifier) {
  const [, name] = /^(?:@hookline\/)?([\w-]+)/.exec(specifier) ?? []
  if (specifier.startsWith('@hookline/')) return name
  return name === 'hookline' ? 'core' : undefined
}

/**
 * The edges that no longer way stands in for, in order. A way that leads back
 * stands in for none: of a circle nothing would be left.
 * @param {ReadonlyMap<string, ReadonlySet<string>>} edges
 * @returns {[from: string, to: string][]}
 */
function shortest(edges) {
  return [...edges]
    .flatMap(([from, all]) => {
      const onward = [...all].filter((to) => !leadsTo(edges, to, from))
      const direct = [...all].filter((to) => {
        return !onward.some((one) => one !== to && leadsTo(edges, one, to))
      })
      return direct.map((to) => /** @type {[string, string]} */ ([from, to]))
    })
    .sort((a, b) => (a.join(' ') < b.join(' ') ? -1 : 1))
}

/**
 * @param {ReadonlyMap<string, ReadonlySet<string>>} edges
 * @param {string} from
 * @param {string} to
 * @returns {boolean}
 */
function leadsTo(edges, from, to, seen = new Set()) {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return [...(edges.get(from) ?? [])].some((next) => {
    return leadsTo(edges, next, to, seen)
  })
}

/**
 * @param {string} name
 * @param {string} folder
 */
function idOf(name, folder) {
  return `${name}_${folder.replaceAll('-', '_')}`
}
