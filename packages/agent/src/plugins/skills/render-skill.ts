import type { Skill } from './skill.ts'

/** What the prompt itself is marked with. */
const marks =
  /<(?=\s*\/?\s*(skills?|scope|agents|context|feedback|summary|environment)\b)/gi

/** The instructions of a skill, marked as such: they cannot end their mark. */
export function renderSkill({ name, folder, body }: Skill): string {
  return block(name, `Files of this skill are in: ${folder}\n\n${body}`)
}

/** What is said of one that the agent does not have. */
export function renderAbsent(name: string, why: string): string {
  return block(name, why)
}

function block(name: string, content: string): string {
  const contained = content.replace(marks, '&lt;')
  return `<skill name="${name}">\n${contained}\n</skill>`
}
