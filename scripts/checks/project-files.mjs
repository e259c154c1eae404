import { readdirSync } from 'node:fs'

const SKIPPED = new Set(['node_modules', 'dist', 'coverage'])

/**
 * The files of a folder and its subfolders, as sorted paths relative to the
 * root with forward slashes. Without a folder, all files of the project.
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
export function listFiles(root, folder = '') {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (!entry.isDirectory()) return [path]
      const isSkipped = SKIPPED.has(entry.name) || entry.name.startsWith('.')
      return isSkipped ? [] : listFiles(root, path)
    })
    .sort()
}

/**
 * Tests, and what only tests use.
 * @param {string} path
 */
export function isTest(path) {
  return /\.test(-d)?\.ts$|\/(fixtures|corpus|quality|expected)\/|\/expect\w+(-\w+)?\.ts$/.test(
    path,
  )
}
