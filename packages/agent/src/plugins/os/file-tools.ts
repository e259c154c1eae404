import { constants } from 'node:fs'
import type { BoundTool, JsonObject, ToolContext } from 'hookline/lifecycle'
import { defineTool } from '../../index.ts'
import { checkSize } from './check-size.ts'
import { checkedArgs } from './checked-args.ts'
import type { OpenFile } from './open-file.ts'
import { OsError } from './os-error.ts'
import {
  checkPackageScripts,
  checkWritable,
  type ProtectedOptions,
} from './protected-paths.ts'
import { replaceContent } from './replace-content.ts'
import { replaceText } from './replace-text.ts'
import type { SeenFiles } from './seen-files.ts'
import { withFile } from './with-file.ts'

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
      const flags = constants.O_RDONLY
      const place = { path, context, hidden }
      return await withFile(place, { flags }, async (file) => {
        const content = await readWhole(file)
        checkText(content, file.path)
        seen.note(sessionOf(context), file.path, content)
        return numbered(content.toString('utf8'), offset, limit)
      })
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
      const options = {
        flags: constants.O_RDWR | constants.O_CREAT,
        makeFolders: true,
        check: (path: string) => checkWritable(path, protectedPaths),
        checkNew: (names: readonly string[]) =>
          checkPackageScripts(names, '', given.content, protectedPaths),
      }
      const place = { path: given.path, context, hidden }
      return await withFile(place, options, async (file) => {
        const { path, names, isNew } = file
        const before = await readWhole(file)
        // What is new may have been written by another name since it was made.
        if (!isNew || before.length > 0) {
          seen.check(sessionOf(context), path, before)
        }
        const was = before.toString('utf8')
        checkPackageScripts(names, was, content.toString(), protectedPaths)
        await replaceContent(file, { before, after: content })
        seen.note(sessionOf(context), path, content)
        return `${isNew ? 'Made' : 'Wrote'} ${path}.`
      })
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
      const options = {
        flags: constants.O_RDWR,
        check: (name: string) => checkWritable(name, protectedPaths),
      }
      const place = { path, context, hidden }
      return await withFile(place, options, async (file) => {
        const before = await readWhole(file)
        seen.check(sessionOf(context), file.path, before)
        checkText(before, file.path)
        const after = replaceText(before, { old, next, isAll: all === true })
        const [was, now] = [before.toString('utf8'), after.toString('utf8')]
        checkPackageScripts(file.names, was, now, protectedPaths)
        await replaceContent(file, { before, after })
        seen.note(sessionOf(context), file.path, after)
        return `Edited ${file.path}.`
      })
    },
  })
}

function sessionOf({ scope }: ToolContext): string {
  return scope.sessionId ?? ''
}

async function readWhole({ handle, path }: OpenFile): Promise<Buffer> {
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
