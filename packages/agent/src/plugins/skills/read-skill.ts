import { type Document, parseDocument } from 'yaml'
import type { Skill, SkillTriggers } from './skill.ts'

const namePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/
const maxName = 64
const maxDescription = 1_024
const maxBodyChars = 200_000
const maxHeadChars = 16_000
const maxAlwaysChars = 16_000

type Read =
  | { readonly skill: Skill; readonly problem?: undefined }
  | { readonly problem: string }

/** Reads the text of a SKILL.md; the name has to be its folder's. */
export function readSkill(
  text: string,
  { folder, folderName }: { folder: string; folderName: string },
): Read {
  const matter = frontMatter(text)
  if (matter === undefined) {
    return { problem: 'It does not begin with front matter between --- lines.' }
  }
  // The time that it takes to read grows faster than its length.
  if (matter.head.length > maxHeadChars) {
    return { problem: `Its front matter has over ${maxHeadChars} characters.` }
  }
  const { fields, problem } = readFields(matter.head)
  if (problem !== undefined) return { problem }
  const { name, description } = fields
  if (typeof name !== 'string' || !namePattern.test(name)) {
    return { problem: 'Its name is not of small letters, digits and single -.' }
  }
  if (name.length > maxName) {
    return { problem: `Its name has more than ${maxName} characters.` }
  }
  if (name !== folderName) {
    return { problem: `It is named "${name}", but its folder "${folderName}".` }
  }
  if (typeof description !== 'string' || description.trim() === '') {
    return { problem: 'It has no description; agents choose by it.' }
  }
  if (description.length > maxDescription) {
    return { problem: `Its description has over ${maxDescription} characters.` }
  }
  const body = matter.body.trim()
  if (body.length > maxBodyChars) {
    return { problem: `It has more than ${maxBodyChars} characters.` }
  }
  return finish(fields, { name, description: description.trim(), body, folder })
}

function finish(
  fields: Readonly<Record<string, unknown>>,
  skill: Pick<Skill, 'name' | 'description' | 'body' | 'folder'>,
): Read {
  const allowedTools = wordsIn(fields['allowed-tools'])
  const triggers = triggersIn(fields['triggers'])
  const isAlways = fields['always'] ?? false
  if (allowedTools === null) {
    return { problem: 'Its allowed-tools are no list of names.' }
  }
  if (triggers === null) {
    return { problem: 'Its triggers are not lists of keywords and paths.' }
  }
  if (typeof isAlways !== 'boolean') {
    return { problem: 'Its always is neither true nor false.' }
  }
  if (isAlways && skill.body.length > maxAlwaysChars) {
    return {
      problem: `It is always on, and has more than ${maxAlwaysChars} characters.`,
    }
  }
  return {
    skill: {
      ...skill,
      ...(allowedTools !== undefined && { allowedTools }),
      ...(triggers !== undefined && { triggers }),
      ...(isAlways && { isAlways }),
    },
  }
}

function frontMatter(text: string) {
  const whole = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const match = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(whole)
  if (match === null) return undefined
  return { head: match[1] ?? '', body: whole.slice(match[0].length) }
}

function readFields(head: string): {
  readonly fields: Readonly<Record<string, unknown>>
  readonly problem?: string
} {
  const document = parseDocument(head, { uniqueKeys: true, schema: 'core' })
  const [error] = document.errors
  if (error !== undefined) {
    const { line = 0 } = error.linePos?.[0] ?? {}
    const problem = `Line ${line + 1} of its front matter is not valid YAML.`
    return { fields: {}, problem }
  }
  const value = dataIn(document)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { fields: {}, problem: 'Its front matter is no list of fields.' }
  }
  return { fields: { ...value } }
}

/** Aliases could make a small text large: with them it is no list of fields. */
function dataIn(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    return undefined
  }
}

/** Words with commas or spaces between them, or a list; null: neither. */
function wordsIn(value: unknown): readonly string[] | undefined | null {
  if (value === undefined) return undefined
  if (typeof value === 'string') return splitTools(value)
  return isTexts(value) ? value : null
}

/** Spaces within brackets are part of a pattern: `Bash(git add:*)`. */
function splitTools(text: string): readonly string[] {
  return text.match(/[^\s,()]+(\([^)]*\))?/g) ?? []
}

function triggersIn(value: unknown): SkillTriggers | undefined | null {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null) return null
  const { keywords, paths, ...others } = value as Record<string, unknown>
  const isList = (list: unknown) => list === undefined || isTexts(list)
  if (!isList(keywords) || !isList(paths)) return null
  if (Object.keys(others).length > 0) return null
  return {
    ...(isTexts(keywords) && { keywords }),
    ...(isTexts(paths) && { paths }),
  }
}

function isTexts(value: unknown): value is readonly string[] {
  if (!Array.isArray(value)) return false
  return value.every((one) => typeof one === 'string' && one.trim() !== '')
}
