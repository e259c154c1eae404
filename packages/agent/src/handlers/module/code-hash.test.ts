import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CodeHash } from './code-hash.ts'
import { importedBy, importsOf } from './imports-of.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-code-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): string {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, text)
  return whole
}

test('of 1 000 files that are required without their endings, each changes the hash', () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `./src/m${at}`)
  for (const name of names) write(`${name}.js`, '1')
  const lines = names.map((name) => `require('${name}')`)
  const code = new CodeHash(write('gate.js', lines.join('\n')), importsOf)
  const { hash } = code.read()
  for (const name of [names[0], names[999]]) {
    write(`${name}.js`, '2')
    expect(code.read().hash).not.toBe(hash)
    write(`${name}.js`, '1')
    expect(code.read().hash).toBe(hash)
  }
})

test('a folder that comes where nothing was changes the hash once it holds what is loaded', () => {
  const code = new CodeHash(write('gate.js', "require('./rules')"), importedBy)
  const { hash } = code.read()
  mkdirSync(join(folder, 'rules'))
  expect(code.read().hash).toBe(hash)
  write('rules/index.js', '1')
  const { hash: withIt } = code.read()
  expect(withIt).not.toBe(hash)
  write('rules.js', '1')
  expect(code.read().hash).not.toBe(withIt)
})
