import { beforeEach, expect, test } from 'vitest'
import { stageForEach } from '../fixtures/stage.ts'
import { runCommand } from '../fixtures/terminal.ts'

const stage = stageForEach()

beforeEach(() => {
  stage.project.configure(
    "hooks:\n  - { name: guard, on: tool.guard, handler: { type: command, shell: 'exit 0' } }\n",
  )
})

/** In a shell where a variable names a script that is not there. */
const cli = (words: string, input = '') =>
  runCommand(stage.project, words.split(' '), {
    env: { HOOKLINE_MODEL: 'script:none.yaml' },
    input,
  })

test.each([
  'hooks list',
  'hooks explain tool.guard',
  'hooks trust',
  'hooks test guard --tool write',
])('what needs no model does not look for its script: %s', async (words) => {
  const { code, stderr } = await cli(words)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stderr).not.toContain('none.yaml')
})

test('a product is answered without a model', async () => {
  const call = JSON.stringify({
    session_id: 's1',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  })
  const answer = await cli('bridge claude-code', call)
  expect(answer).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('a doctor tells of the script, and looks at all else', async () => {
  const { code, stdout } = await cli('doctor')
  expect(code).toBe(1)
  expect(stdout).toContain(
    '✗ model: main uses script:none.yaml: The script "none.yaml" cannot be read.',
  )
  expect(stdout).toContain('✓ daemon: starts')
  expect(stdout).toContain('✓ hook guard')
})

test.each(['run hi', 'sessions resume any', 'up'])(
  'what takes turns says at once that the script is not there: %s',
  async (words) => {
    const { code, stdout, stderr } = await cli(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('The script "none.yaml" cannot be read.')
    expect(stderr).toContain('HOOKLINE_MODEL')
  },
)
