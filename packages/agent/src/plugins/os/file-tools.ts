import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { BoundTool, JsonObject, ToolContext } from 'hookline/lifecycle'
import { defineTool } from '../../index.ts'
import { checkedArgs } from './checked-args.ts'
import { confineTo } from './confine.ts'
import { openFile } from './open-file.ts'
import { OsError } from './os-error.ts'
import {
  checkPackageScripts,
  checkWritable,
  type ProtectedOptions,
} from './protected-paths.ts'
import type { SeenFiles } from './seen-files.ts'

export interface FileToolParts {
  readonly seen: SeenFiles
  readonly protectedPaths: ProtectedOptions
  /** Real paths of folders that nobody gets to see. */
  readonly hidden: readonly string[]
}

interface ReadArgs {
  readonly path: string
  readonly offset?: number
  readonly limit?: number
}

interface WriteArgs {
  readonly path: string
  readonly content: string
}

interface EditArgs {
  readonly path: string
  readonly old: string
  readonly new: string
  readonly all?: boolean
}

const maxFileBytes = 10 * 1_024 * 1_024
const maxWriteBytes = 10 * 1_024 * 1_024
const defaultLines = 2_000

export function fileTools(parts: FileToolParts): readonly BoundTool[] {
  return [readTool(parts), writeTool(parts), editTool(parts)]
}

function object(properties: JsonObject, required: readonly string[]) {
  return {
    type: 'object',
    properties,
    required: [...required],
    additionalProperties: false,
  } as const
}

const text = (description: string) => ({ type: 'string', description })

function readTool({ seen, hidden }: FileToolParts): BoundTool {
  return defineTool({
    name: 'read',
    description: 'Reads a text file, with the number of each line.',
    input: object(
      {
        path: text('Absolute, or from the working folder.'),
        offset: { type: 'integer', minimum: 1, description: 'First line.' },
        limit: { type: 'integer', minimum: 1, description: 'How many lines.' },
      },
      ['path'],
    ),
    safety: 'read_only',
    idempotent: true,
    async execute(args, context) {
      const {
        path,
        offset = 1,
        limit = defaultLines,
      } = checkedArgs<ReadArgs>(args)
      const confinement = await confinementOf(context, hidden)
      const flags = constants.O_RDONLY
      const file = await openFile(confinement, path, { flags })
      try {
        const content = await readWhole(file.handle, file.path)
        checkText(content, file.path)
        seen.note(sessionOf(context), file.path, content)
        return numbered(content.toString('utf8'), offset, limit)
      } finally {
        await file.handle.close()
      }
    },
  })
}

function writeTool(parts: FileToolParts): BoundTool {
  const { seen, protectedPaths, hidden } = parts
  return defineTool({
    name: 'write',
    description:
      'Writes a whole text file. One that is there already has to be read first.',
    input: object(
      {
        path: text('Absolute, or from the working folder.'),
        content: text(''),
      },
      ['path', 'content'],
    ),
    safety: 'mutating',
    async execute(args, context) {
      const given = checkedArgs<WriteArgs>(args)
      const content = Buffer.from(given.content, 'utf8')
      checkSize(content.length)
      const confinement = await confinementOf(context, hidden)
      const file = await openFile(confinement, given.path, {
        flags: constants.O_RDWR | constants.O_CREAT,
        makeFolders: true,
        check: (path) => checkWritable(path, protectedPaths),
        checkNew: (names) =>
          checkPackageScripts(names, '', given.content, protectedPaths),
      })
      try {
        const { path, names, handle, isNew } = file
        const before = isNew ? Buffer.alloc(0) : await readWhole(handle, path)
        if (!isNew) seen.check(sessionOf(context), path, before)
        const was = before.toString('utf8')
        checkPackageScripts(names, was, content.toString(), protectedPaths)
        await replaceContent(handle, content)
        seen.note(sessionOf(context), path, content)
        return `${isNew ? 'Made' : 'Wrote'} ${path}.`
      } finally {
        await file.handle.close()
      }
    },
  })
}

function editTool(parts: FileToolParts): BoundTool {
  const { seen, protectedPaths, hidden } = parts
  return defineTool({
    name: 'edit',
    description:
      'Replaces one piece of text in a file that was read before. The piece must be there exactly once, unless all are to be replaced.',
    input: object(
      {
        path: text('Absolute, or from the working folder.'),
        old: { ...text('Exactly as it is in the file.'), minLength: 1 },
        new: text('What is to be there instead.'),
        all: { type: 'boolean', description: 'Replace every one of them.' },
      },
      ['path', 'old', 'new'],
    ),
    safety: 'mutating',
    async execute(args, context) {
      const { path, old, new: next, all } = checkedArgs<EditArgs>(args)
      const confinement = await confinementOf(context, hidden)
      const file = await openFile(confinement, path, {
        flags: constants.O_RDWR,
        check: (name) => checkWritable(name, protectedPaths),
      })
      try {
        const before = await readWhole(file.handle, file.path)
        seen.check(sessionOf(context), file.path, before)
        checkText(before, file.path)
        const content = replaceText(before, { old, next, isAll: all === true })
        const [was, now] = [before.toString('utf8'), content.toString('utf8')]
        checkPackageScripts(file.names, was, now, protectedPaths)
        await replaceContent(file.handle, content)
        seen.note(sessionOf(context), file.path, content)
        return `Edited ${file.path}.`
      } finally {
        await file.handle.close()
      }
    },
  })
}

function confinementOf(
  { call, scope }: ToolContext,
  hidden: readonly string[],
) {
  return confineTo(call.grant.roots, scope.cwd, hidden)
}

function sessionOf({ scope }: ToolContext): string {
  return scope.sessionId ?? ''
}

function checkSize(sizeBytes: number): void {
  if (sizeBytes <= maxWriteBytes) return
  throw new OsError(
    `A file of more than ${maxWriteBytes} bytes is not written.`,
  )
}

async function readWhole(handle: FileHandle, path: string): Promise<Buffer> {
  const { size } = await handle.stat()
  if (size > maxFileBytes) {
    throw new OsError(
      `"${path}" has ${size} bytes, which is too much to read; use grep, or the shell.`,
    )
  }
  // Its size may be a lie, as in /proc: no more than the maximum is taken.
  const buffer = Buffer.alloc(Math.min(maxFileBytes, size || 65_536))
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
  return buffer.subarray(0, bytesRead)
}

function checkText(content: Buffer, path: string): void {
  if (!content.subarray(0, 8_192).includes(0)) return
  throw new OsError(`"${path}" is no text file.`)
}

function numbered(words: string, offset: number, limit: number): string {
  if (words === '') return '(The file is empty.)'
  const lines = words.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const shown = lines.slice(offset - 1, offset - 1 + limit)
  if (shown.length === 0) return `(The file has ${lines.length} lines.)`
  const rest = lines.length - (offset - 1 + shown.length)
  const all = shown.map((line, index) => `${offset + index}\t${line}`)
  if (rest > 0) all.push(`(${rest} more lines; read on with offset.)`)
  return all.join('\n')
}

/** The same handle as it was read by: nobody can put another file there. */
async function replaceContent(
  handle: FileHandle,
  content: Buffer,
): Promise<void> {
  let written = 0
  while (written < content.length) {
    const rest = content.length - written
    const { bytesWritten } = await handle.write(content, written, rest, written)
    written += bytesWritten
  }
  await handle.truncate(content.length)
  await handle.datasync()
}

interface Replacement {
  readonly old: string
  readonly next: string
  readonly isAll: boolean
}

/** By bytes: what is around it stays as it is, even if it is no UTF-8. */
function replaceText(
  content: Buffer,
  { old, next, isAll }: Replacement,
): Buffer {
  const wanted = Buffer.from(old, 'utf8')
  const count = countOf(content, wanted)
  if (count === 0) {
    throw new OsError('The text to replace is not in the file.')
  }
  if (count > 1 && !isAll) {
    throw new OsError(
      `The text to replace is there ${count} times; add what is around it, or replace all.`,
    )
  }
  // It may also overlap itself, as "aa" in "aaa".
  if (!isAll && content.indexOf(wanted) !== content.lastIndexOf(wanted)) {
    throw new OsError(
      'The text to replace is there more than once, one over the other; add what is around it.',
    )
  }
  const put = Buffer.from(next, 'utf8')
  const sizeBytes = content.length + count * (put.length - wanted.length)
  checkSize(sizeBytes)
  const edited = Buffer.alloc(sizeBytes)
  let from = 0
  let to = 0
  for (let found = 0; found < count; found++) {
    const at = content.indexOf(wanted, from)
    to += content.copy(edited, to, from, at)
    to += put.copy(edited, to)
    from = at + wanted.length
  }
  content.copy(edited, to, from)
  return edited
}

function countOf(content: Buffer, wanted: Buffer): number {
  let count = 0
  let at = content.indexOf(wanted)
  while (at >= 0) {
    count++
    at = content.indexOf(wanted, at + wanted.length)
  }
  return count
}
