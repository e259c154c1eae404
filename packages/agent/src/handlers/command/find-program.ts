import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { CommandSpec } from './command-runner.ts'
import { notStarted, startFailure } from './start-failure.ts'

/**
 * The file that is to run. Found out beforehand, because the system says
 * "not found" for a missing program, folder and interpreter alike, and hands
 * a file that is no program to a shell. Synchronous, as the start itself is:
 * a disk that hangs would hold up that one just as long.
 */
export function findProgram({
  argv,
  env,
  cwd,
}: Pick<CommandSpec, 'argv' | 'env' | 'cwd'>): string {
  const [name = ''] = argv
  if (name === '') throw notStarted('There is no program to start; name one.')
  const texts = [...argv, ...Object.keys(env), ...Object.values(env), cwd]
  if (texts.some((text) => text.includes('\0'))) {
    throw notStarted(
      'An argument, variable or folder holds a NUL character; take it out.',
    )
  }
  if (factsOf(cwd)?.isDirectory() !== true) {
    throw notStarted(
      `The folder "${cwd}", in which a command was to run, is not there; make it, or name another as cwd.`,
    )
  }
  if (process.platform === 'win32') return name
  const file = name.includes('/') ? resolve(cwd, name) : findInPath(name, env)
  if (file === undefined) {
    throw startFailure(Object.assign(new Error(), { code: 'ENOENT' }), name)
  }
  checkProgram(file, name)
  return file
}

/** The first file of this name in the PATH that may be executed, if any may. */
export function findInPath(
  name: string,
  env: Readonly<Record<string, string>>,
): string | undefined {
  const folders = (env['PATH'] ?? '/usr/bin:/bin').split(delimiter)
  let found: string | undefined
  for (const folder of folders) {
    // A relative one, or none, would be seen from whatever folder it runs in.
    if (!isAbsolute(folder)) continue
    const file = join(folder, name)
    const facts = factsOf(file)
    if (facts?.isFile() !== true) continue
    if ((facts.mode & 0o111) !== 0) return file
    found ??= file
  }
  return found
}

function checkProgram(file: string, name: string): void {
  const facts = factsOf(file)
  if (facts?.isDirectory()) {
    throw notStarted(`"${name}" is a folder; name a program in it.`)
  }
  try {
    accessSync(file, constants.X_OK)
  } catch (error) {
    throw startFailure(error, name)
  }
  const start = readStart(file)
  // A program that may be run but not read is left to the system.
  if (start === undefined || start.includes(0)) return
  const first = start.toString('latin1')
  if (!first.startsWith('#!')) {
    throw startFailure(Object.assign(new Error(), { code: 'ENOEXEC' }), name)
  }
  const interpreter = /^#![ \t]*([^\s]+)/.exec(first)?.[1] ?? ''
  const isMissing =
    interpreter.startsWith('/') && factsOf(interpreter) === undefined
  if (!isMissing) return
  const line = first.slice(0, 80).split('\n', 1)[0]
  throw notStarted(
    `"${name}" asks for an interpreter that is not there ("${line}"); install it, or correct its first line.`,
  )
}

function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function readStart(file: string): Buffer | undefined {
  let fd: number
  try {
    fd = openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    const buffer = Buffer.alloc(256)
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, 0))
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
