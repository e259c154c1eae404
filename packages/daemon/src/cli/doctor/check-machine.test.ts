import { expect, onTestFinished, test } from 'vitest'
import { makeProject } from '../fixtures/project.ts'
import { checkMachine } from './check-machine.ts'

const sandboxOf = async (sandboxProgram?: string) => {
  const project = makeProject()
  onTestFinished(() => project.remove())
  const { home, env } = project
  const checks = await checkMachine({
    home,
    env,
    ...(sandboxProgram !== undefined && { sandboxProgram }),
  })
  return checks.find(({ name }) => name === 'sandbox')
}

test('a machine on which commands can be confined is well', async () => {
  expect(await sandboxOf()).toMatchObject({ level: 'ok' })
})

test('one on which they cannot is told why, and how to do without', async () => {
  const check = await sandboxOf('no-such-program')
  expect(check).toMatchObject({ level: 'warning' })
  expect(check?.message).toContain('bubblewrap is not there')
  expect(check?.message).toContain('sandbox: none')
})
