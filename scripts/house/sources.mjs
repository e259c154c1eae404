import { existsSync, readdirSync } from 'node:fs'
import { isTest, listFiles } from '../checks/project-files.mjs'

/** @typedef {{ name: string, files: string[] }} Package */

/**
 * The packages with the files that people write: code, and tests.
 * @param {string} root
 * @returns {Package[]}
 */
export function packagesOf(root) {
  return readdirSync(`${root}/packages`)
    .filter((name) => existsSync(`${root}/packages/${name}/src`))
    .sort()
    .map((name) => {
      const files = ['src', 'properties']
        .map((folder) => `packages/${name}/${folder}`)
        .filter((folder) => existsSync(`${root}/${folder}`))
        .flatMap((folder) => listFiles(root, folder))
        .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$/.test(file))
      return { name, files }
    })
}

/**
 * What the package is made of, and no test.
 * @param {string} file
 */
export function isSource(file) {
  return !isTest(file) && !file.includes('/properties/')
}
