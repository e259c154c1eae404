import { constants } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { BoundTool, ToolContext } from 'hookline/lifecycle'
import { defineTool } from '../../index.ts'
import { checkedArgs } from './checked-args.ts'
import { type Confinement, confineTo } from './confine.ts'
import { openFile } from './open-file.ts'
import { OsError } from './os-error.ts'
import { compilePathGlob } from './path-glob.ts'
import { type FoundFile, walkFiles } from './walk-files.ts'

const maxFiles = 1_000
const maxLines = 500
const maxLineChars = 500
const maxFileBytes = 5 * 1_024 * 1_024
const maxPattern = 1_000
/** How many characters of a line a pattern is tried on, times its size. */
const maxLineWork = 2_000_000
const maxProgram = 2_000
/** Others get their turn after this long. */
const sliceMs = 20

interface GlobArgs {
  readonly pattern: string
  readonly path?: string
}

interface GrepArgs extends GlobArgs {
  readonly glob?: string
  readonly ignoreCase?: boolean
}

const place = {
  type: 'string',
  description: 'The folder to search; default: the working folder.',
}

const patternText = { type: 'string', minLength: 1, maxLength: maxPattern }

/** What is hidden is as if it were not there. */
export function searchTools(hidden: readonly string[]): readonly BoundTool[] {
  return [
    defineTool({
      name: 'glob',
      description:
        'Lists files by a pattern over their paths, such as src/**/*.ts.',
      input: {
        type: 'object',
        properties: { pattern: patternText, path: place },
        required: ['pattern'],
        additionalProperties: false,
      },
      safety: 'read_only',
      idempotent: true,
      async execute(args, context) {
        const { pattern, path = '.' } = checkedArgs<GlobArgs>(args)
        const isWanted = compilePathGlob(pattern)
        const confinement = await confinementOf(context, hidden)
        const found: string[] = []
        const files = walkFiles(confinement, path, context.signal)
        for await (const { name } of files) {
          if (!isWanted(name)) continue
          found.push(shown(name))
          if (found.length < maxFiles) continue
          found.push(`(There are more than ${maxFiles}.)`)
          break
        }
        return found.length === 0 ? 'No file fits.' : found.join('\n')
      },
    }),
    defineTool({
      name: 'grep',
      description:
        'Finds lines of text files by a regular expression (RE2), as path:line:text.',
      input: {
        type: 'object',
        properties: {
          pattern: patternText,
          path: place,
          glob: { ...patternText, description: 'Only files like this.' },
          ignoreCase: { type: 'boolean' },
        },
        required: ['pattern'],
        additionalProperties: false,
      },
      safety: 'read_only',
      idempotent: true,
      async execute(args, context) {
        const {
          pattern,
          path = '.',
          glob = '**',
          ignoreCase,
        } = checkedArgs<GrepArgs>(args)
        const isMatch = await compileRegex(pattern, ignoreCase === true)
        const isWanted = compilePathGlob(glob)
        const confinement = await confinementOf(context, hidden)
        const lines: string[] = []
        const { signal } = context
        const search = { isMatch, signal }
        const files = walkFiles(confinement, path, signal)
        for await (const file of files) {
          if (!isWanted(file.name)) continue
          const content = await contentOf(confinement, file.path)
          if (content === undefined) continue
          lines.push(...(await grepText(content, file, search)))
          if (lines.length >= maxLines) break
        }
        if (lines.length === 0) return 'No line fits.'
        if (lines.length < maxLines) return lines.join('\n')
        const note = `(There are more than ${maxLines}.)`
        return [...lines.slice(0, maxLines), note].join('\n')
      },
    }),
  ]
}

function confinementOf(
  { call, scope }: ToolContext,
  hidden: readonly string[],
) {
  return confineTo(call.grant.roots, scope.cwd, hidden)
}

/** A name on one line, whatever is in it. */
function shown(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name
}

/** In linear time, whatever the pattern; a large one sees less of a line. */
async function compileRegex(source: string, ignoreCase: boolean) {
  const { RE2JS } = await import('re2js')
  try {
    const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0
    const regex = RE2JS.compile(source, flags)
    const size = regex.programSize()
    if (size > maxProgram) throw new RangeError()
    const maxChars = Math.floor(maxLineWork / size)
    return (line: string) => regex.matcher(line.slice(0, maxChars)).find()
  } catch (error) {
    throw new OsError(
      error instanceof RangeError
        ? 'The pattern is too large; use fewer repetitions.'
        : 'The pattern is no regular expression of RE2, which has no look-around and no back-references.',
    )
  }
}

interface Search {
  readonly isMatch: (line: string) => boolean
  readonly signal: AbortSignal
}

async function grepText(
  content: string,
  { name }: FoundFile,
  { isMatch, signal }: Search,
): Promise<readonly string[]> {
  const lines: string[] = []
  let began = performance.now()
  for (const [index, line] of content.split('\n').entries()) {
    if (performance.now() - began > sliceMs) {
      await setImmediate()
      signal.throwIfAborted()
      began = performance.now()
    }
    if (!isMatch(line)) continue
    lines.push(`${shown(name)}:${index + 1}:${line.slice(0, maxLineChars)}`)
    if (lines.length >= maxLines) break
  }
  return lines
}

/** Undefined for what cannot be read, is large, or is no text. */
async function contentOf(confinement: Confinement, path: string) {
  try {
    const flags = constants.O_RDONLY
    const { handle } = await openFile(confinement, path, { flags })
    try {
      const { size } = await handle.stat()
      if (size > maxFileBytes) return undefined
      const buffer = Buffer.alloc(size)
      const { bytesRead } = await handle.read(buffer, 0, size, 0)
      const content = buffer.subarray(0, bytesRead)
      if (content.subarray(0, 8_192).includes(0)) return undefined
      return content.toString('utf8')
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}
