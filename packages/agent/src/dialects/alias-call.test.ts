import type { JsonObject, ToolResult } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { aliasCall, aliasError, aliasResponse, ownArgs } from './alias-call.ts'

const cwd = '/srv/app'

function call(tool: string, args: JsonObject) {
  const own = { id: 'c', tool, owner: '', args, safety: 'mutating' as const }
  return aliasCall(own, cwd)
}

function done(text: string, data?: JsonObject): ToolResult {
  const content = [{ type: 'text' as const, text }]
  return { content, isError: false, ...(data && { data }) }
}

test('what a hook has changed comes back with our names', () => {
  const edit = call('edit', { path: 'src/a.ts', old: 'a', new: 'b', all: true })
  expect(edit.input).toEqual({
    file_path: '/srv/app/src/a.ts',
    old_string: 'a',
    new_string: 'b',
    replace_all: true,
  })
  const back = ownArgs(edit, { ...edit.input, new_string: 'c' }, { cwd })
  expect(back).toEqual({ path: 'src/a.ts', old: 'a', new: 'c', all: true })
})

test('a path stays relative where the model wrote one, unless it leaves the folder', () => {
  const read = call('read', { path: 'a.ts' })
  const moved = (file_path: string) => ownArgs(read, { file_path }, { cwd })
  expect(moved('/srv/app/src/b.ts')).toEqual({ path: 'src/b.ts' })
  expect(moved('/etc/passwd')).toEqual({ path: '/etc/passwd' })
})

test('what was made up for scripts is not sent to the tool', () => {
  const tasks = [{ agent: 'x', task: 'y' }]
  const agent = call('delegate', { tasks })
  expect(agent.input).toEqual({ tasks, prompt: 'y', subagent_type: 'x' })
  const back = ownArgs(agent, { ...agent.input, prompt: 'z' }, { cwd })
  expect(back).toEqual({ tasks })
})

test('responses have the shape that scripts look for', () => {
  expect(aliasResponse(call('shell', {}), done('ok'))).toEqual({
    stdout: 'ok',
    stderr: '',
    interrupted: false,
    isImage: false,
  })
  expect(aliasResponse(call('write', { path: 'a' }), done('Made a.'))).toEqual({
    filePath: '/srv/app/a',
    success: true,
  })
  expect(aliasResponse(call('mcp__a__b', {}), done('x'))).toEqual([
    { type: 'text', text: 'x' },
  ])
  expect(aliasResponse(call('other', {}), done('x', { y: 1 }))).toEqual({
    y: 1,
  })
  expect(aliasResponse(call('other', {}), done('x'))).toBe('x')
})

test('an error of the shell says its code first', () => {
  const shell = call('shell', {})
  expect(aliasError(shell, 'no\n[exit 3]')).toBe('Exit code 3\nno\n[exit 3]')
  expect(aliasError(shell, 'Exit code 1\nno')).toBe('Exit code 1\nno')
  expect(aliasError(call('read', {}), 'no [exit 3]')).toBe('no [exit 3]')
})
