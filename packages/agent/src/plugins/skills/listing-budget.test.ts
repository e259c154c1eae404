import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createPolicy, createRuntime } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { createSkillsPlugin } from './create-skills-plugin.ts'
import { renderListing } from './render-listing.ts'
import type { Skill, SkillProblem } from './skill.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-listing-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const skill = (name: string, more: Partial<Skill> = {}): Skill => ({
  name,
  description: `About ${name}.`,
  body: `Body of ${name}.`,
  folder: `/skills/${name}`,
  ...more,
})

test('all that fits is listed as ever, and nothing is said', () => {
  const { text, problem } = renderListing([skill('a'), skill('b')])
  expect(text).toBe('<skills>\n- a: About a.\n- b: About b.\n</skills>')
  expect(problem).toBeUndefined()
})

test('what is too much is listed by name, then counted; the first come first', () => {
  const skills = ['a', 'b', 'c', 'd'].map((name) =>
    skill(name, { description: 'x'.repeat(40) }),
  )
  const { text, problem } = renderListing(skills, { maxListChars: 50 })
  expect(text).toBe(
    `<skills>\n- a: ${'x'.repeat(40)}\n- b\n(2 more skills are not listed here.)\n</skills>`,
  )
  expect(problem).toContain('3 of 4 skills')
})

test('bodies that are too much are left for the tool to give', () => {
  const always = { isAlways: true, body: 'y'.repeat(60) }
  const { text, problem } = renderListing(
    [skill('a', always), skill('b', always), skill('c')],
    { maxBodyChars: 100 },
  )
  expect(text).toContain('<skill name="a">')
  expect(text).not.toContain('<skill name="b">')
  expect(text).toContain('- b: About b.')
  expect(problem).toContain('"b"')
})

test('a prompt stays small however many skills there are, and it is reported once', async () => {
  const root = join(folder, 'skills')
  for (let number = 0; number < 60; number++) {
    const own = join(root, `skill-${number}`)
    await mkdir(own, { recursive: true })
    const head = `name: skill-${number}\ndescription: ${'word '.repeat(200)}`
    await writeFile(join(own, 'SKILL.md'), `---\n${head}\n---\nBody.\n`)
  }
  const told: (readonly SkillProblem[])[] = []
  const plugin = createSkillsPlugin({
    roots: [root],
    watch: false,
    onProblems: (problems) => told.push(problems),
  })
  const model = scriptedModel([{ text: 'Done.' }])
  const runtime = createRuntime({
    models: { resolve: () => model },
    policy: createPolicy({ mode: 'open' }),
    plugins: [plugin],
  })
  onTestFinished(() => runtime.close())
  await runtime.register({ name: 'main', model: 'x', instructions: '' })
  const session = await runtime.openSession({ agent: 'main', cwd: folder })
  await session.send('Hello.').result
  const asked = JSON.stringify(model.requests[0])
  expect(asked.length).toBeLessThan(40_000)
  expect(asked).toContain('- skill-59')
  const codes = plugin.problems().map(({ code }) => code)
  expect(codes).toEqual(['over-budget'])
  expect(told.at(-1)).toEqual(plugin.problems())
})
