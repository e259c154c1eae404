import type { JsonObject, JsonValue, ToolResult } from 'hookline/lifecycle'
import type { ToolAlias } from './tool-alias.ts'

const filePath = { path: 'file_path', file: 'file_path' }
const paths = ['file_path']

const shell: ToolAlias = {
  name: 'Bash',
  args: { cmd: 'command', timeoutMs: 'timeout' },
  error: shellError,
  response: shellResponse,
}

/** Of the tools that come with us; others say their alias themselves. */
export const usualAliases: Readonly<Record<string, ToolAlias>> = {
  shell,
  bash: shell,
  read: { name: 'Read', args: filePath, paths, response: readResponse },
  write: {
    name: 'Write',
    args: { ...filePath, text: 'content' },
    paths,
    response: fileResponse,
  },
  edit: {
    name: 'Edit',
    args: {
      ...filePath,
      oldText: 'old_string',
      newText: 'new_string',
      old: 'old_string',
      new: 'new_string',
      all: 'replace_all',
      replaceAll: 'replace_all',
    },
    paths,
    response: fileResponse,
  },
  glob: { name: 'Glob', paths: ['path'] },
  grep: { name: 'Grep', paths: ['path'] },
  delegate: {
    name: 'Agent',
    args: { task: 'prompt', agent: 'subagent_type' },
    derived: firstTask,
  },
  // Tools that somebody has named as the product does.
  Read: { name: 'Read', paths, response: readResponse },
  Write: { name: 'Write', paths, response: fileResponse },
  Edit: { name: 'Edit', paths, response: fileResponse },
  MultiEdit: { name: 'MultiEdit', paths, response: fileResponse },
  Bash: { ...shell, args: {} },
}

/** Several tasks are one call here; scripts know only one. */
function firstTask({ tasks }: JsonObject): JsonObject {
  const [first] = Array.isArray(tasks) ? tasks : []
  if (typeof first !== 'object' || first === null || Array.isArray(first)) {
    return {}
  }
  // It is neither a list nor null.
  const { agent = '', task = '' } = first as JsonObject
  return {
    prompt: task,
    ...(typeof agent === 'string' && { subagent_type: agent }),
  }
}

/** Scripts look for the code in the first line. */
function shellError(text: string): string {
  if (/^Exit code \d/.test(text)) return text
  const code = /\[exit (\d+)\]/.exec(text)?.[1]
  return code === undefined ? text : `Exit code ${code}\n${text}`
}

function shellResponse(result: ToolResult): JsonValue {
  const data = dataOf(result)
  const said = (...keys: readonly string[]) =>
    keys.map((key) => data[key]).find((value) => typeof value === 'string')
  return {
    stdout: said('stdout', 'output') ?? contentOf(result),
    stderr: said('stderr') ?? '',
    interrupted: data['interrupted'] === true,
    isImage: false,
  }
}

function fileResponse(result: ToolResult, input: JsonObject): JsonValue {
  return { filePath: input['file_path'] ?? '', success: !result.isError }
}

function readResponse(result: ToolResult, input: JsonObject): JsonValue {
  const { content } = dataOf(result)
  const text = typeof content === 'string' ? content : contentOf(result)
  const filePath = input['file_path'] ?? ''
  return { type: 'text', file: { filePath, content: text } }
}

function dataOf(result: ToolResult): JsonObject {
  const data = result.isError ? undefined : result.data
  const isObject = typeof data === 'object' && data !== null
  // A list has no keys that anybody looks for.
  return isObject ? (data as JsonObject) : {}
}

function contentOf({ content }: ToolResult): string {
  return content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
}
