import { describe, expect, test } from 'vitest'
import { readSkill } from './read-skill.ts'

const place = { folder: '/skills/cook', folderName: 'cook' }

function read(head: string, body = 'Cook well.') {
  return readSkill(`---\n${head}\n---\n${body}\n`, place)
}

const named = 'name: cook\ndescription: Cooks.'

describe('a SKILL.md', () => {
  test('has a name, a description and a body', () => {
    expect(read(named)).toEqual({
      skill: {
        name: 'cook',
        description: 'Cooks.',
        body: 'Cook well.',
        folder: '/skills/cook',
      },
    })
  })

  test('may come from anywhere: other line ends, a byte order mark, further fields', () => {
    const text =
      '\ufeff---\r\nname: cook\r\ndescription: Cooks.\r\nlicense: MIT\r\nmetadata:\r\n  author: me\r\n---\r\nA\r\nB\r\n'
    expect(readSkill(text, place)).toMatchObject({ skill: { body: 'A\nB' } })
  })

  test.each([
    ['a text', 'allowed-tools: Read, Bash(git add:*) mcp__docs__*'],
    [
      'a list',
      'allowed-tools:\n  - Read\n  - Bash(git add:*)\n  - mcp__docs__*',
    ],
  ])('names the tools it allows as %s', (_, line) => {
    expect(read(`${named}\n${line}`)).toMatchObject({
      skill: { allowedTools: ['Read', 'Bash(git add:*)', 'mcp__docs__*'] },
    })
  })

  test('that allows no tool is not one that says nothing', () => {
    expect(read(`${named}\nallowed-tools: []`)).toMatchObject({
      skill: { allowedTools: [] },
    })
    expect(read(named)).not.toHaveProperty('skill.allowedTools')
  })

  test('says when it is of use', () => {
    const triggers = { keywords: ['soup'], paths: ['**/*.recipe'] }
    expect(
      read(`${named}\ntriggers: ${JSON.stringify(triggers)}\nalways: true`),
    ).toMatchObject({ skill: { triggers, isAlways: true } })
  })

  test.each([
    ['no front matter', 'Cook.', 'front matter'],
    ['front matter without an end', '---\nname: cook\n', 'front matter'],
    ['broken YAML', '---\nname: [cook\n---\n', 'Line'],
    ['a list for fields', '---\n- name\n---\n', 'no list of fields'],
  ])('with %s is none', (_, text, problem) => {
    expect(readSkill(text, place).problem).toContain(problem)
  })

  test.each([
    ['no name', 'description: x', 'name'],
    ['a name with capitals', 'name: Cook\ndescription: x', 'name'],
    ['a name that climbs', 'name: ../cook\ndescription: x', 'name'],
    ['a name with two dashes', 'name: a--b\ndescription: x', 'name'],
    ['another name than its folder', 'name: bake\ndescription: x', 'folder'],
    ['no description', 'name: cook', 'description'],
    ['a blank description', 'name: cook\ndescription: " "', 'description'],
    [
      'a long description',
      `name: cook\ndescription: ${'x'.repeat(1_025)}`,
      '1024',
    ],
    ['tools that are a number', `${named}\nallowed-tools: 7`, 'allowed-tools'],
    ['triggers nobody knows', `${named}\ntriggers: {words: [a]}`, 'triggers'],
    ['an always that is text', `${named}\nalways: "yes"`, 'always'],
    ['the same field twice', 'name: cook\nname: cook', 'YAML'],
  ])('with %s is none', (_, head, problem) => {
    expect(read(head).problem).toContain(problem)
  })

  test('T14 that would unfold to something huge is none', () => {
    const bomb = 'a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]'
    expect(() => read(`${named}\n${bomb}`)).not.toThrow()
    expect(read(`${named}\n${bomb}`).problem).toBeDefined()
  })

  test('with a body beyond bounds is none', () => {
    expect(read(named, 'x'.repeat(200_001)).problem).toContain('200000')
    const always = `${named}\nalways: true`
    expect(read(always, 'x'.repeat(16_001)).problem).toContain('16000')
  })
})
