import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exitCodes } from './cli/exit-codes.ts'
import { errorStatus } from './protocol/errors.ts'

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

/** What stands in the one group of every match. */
function allOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => String(found))
}

/** The section of the document under a heading. */
function sectionUnder(heading: string): string {
  const [, after = ''] = read('../../../docs/errors.md').split(`## ${heading}`)
  const [section = ''] = after.split('\n## ')
  return section
}

test.each([
  ["Errors of the daemon's home", 'server/home-error.ts'],
  ['Errors of a workspace', 'reload/workspace-error.ts'],
  ['Errors of switches', 'reload/switches/switch-error.ts'],
])(
  '%s: every code is explained, and every explained one exists',
  (heading, file) => {
    const codes = allOf(read(file), /^ {2}\| '([\w-]+)'$/gm)
    expect(codes.length).toBeGreaterThan(3)
    const explained = allOf(sectionUnder(heading), /^\| `([\w-]+)` \|/gm)
    expect(explained.sort()).toEqual(codes.sort())
  },
)

test('every answer of the daemon is explained, with its status', () => {
  const rows = allOf(
    sectionUnder('Answers of the daemon'),
    /^\| (`[\w-]+` \| \d+) \|/gm,
  )
  const codes = Object.entries(errorStatus).map(
    ([code, status]) => `\`${code}\` | ${status}`,
  )
  expect(rows).toEqual(codes)
})

test('every exit code is explained', () => {
  const section = read('../../../docs/deployment.md').split('## Exit codes')[1]
  const rows = allOf(section ?? '', /^\| (\d+ \| .+) \|$/gm)
  const codes = Object.values(exitCodes).map(
    ({ code, meaning }) => `${code} | ${meaning}`,
  )
  expect(rows).toEqual(codes)
})
