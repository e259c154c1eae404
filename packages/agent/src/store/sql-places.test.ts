import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const packages = join(import.meta.dirname, '../../..')
const sql =
  /\b(?:SELECT\s+[\w*]|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(?:TABLE|INDEX)\s)/

/** The sources of a package that hold SQL, without tests and their fixtures. */
function placesIn(name: string, pattern = sql): string[] {
  const root = join(packages, name, 'src')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .filter((file) => !/(?:^|\/)(?:fixtures|corpus)\//.test(file))
    .filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
}

test('SQL stands in the store and in the jobs, and nowhere else', () => {
  const places = placesIn('agent')
  expect(places.length).toBeGreaterThan(20)
  expect(places.filter((file) => !/^(?:store|jobs)\//.test(file))).toEqual([])
  expect(
    ['core', 'daemon', 'inspector'].flatMap((name) => placesIn(name)),
  ).toEqual([])
})

test('only the store of runs writes records of hooks', () => {
  const places = placesIn('agent', /\b(?:INSERT\s+INTO|UPDATE)\s+runs\b/)
  expect(places.length).toBeGreaterThan(1)
  expect(places.filter((file) => !file.startsWith('store/runs/'))).toEqual([])
})
