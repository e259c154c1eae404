import { renderSkill } from './render-skill.ts'
import type { Skill } from './skill.ts'

interface ListingLimits {
  /** Of all names and descriptions together; default 24 000. */
  readonly maxListChars?: number
  /** Of all bodies that are part of the prompt; default 64 000. */
  readonly maxBodyChars?: number
}

interface Listing {
  /** For the system prompt. */
  readonly text: string
  /** What did not fit, in a sentence. */
  readonly problem?: string
}

/**
 * Names and descriptions of skills, and the bodies of those that are always
 * there, as far as there is room: the first come first. What has no room for
 * its description has its name there; all can still be read with the tool.
 */
export function renderListing(
  skills: readonly Skill[],
  { maxListChars = 24_000, maxBodyChars = 64_000 }: ListingLimits = {},
): Listing {
  const lines = listWithin(skills, maxListChars)
  const bodies = bodiesWithin(skills, maxBodyChars)
  const problems = [
    ...(lines.cut === 0
      ? []
      : [
          `The descriptions of ${lines.cut} of ${skills.length} skills have no room in the prompt.`,
        ]),
    ...bodies.left.map(
      (name) => `The body of "${name}" has no room in the prompt.`,
    ),
  ]
  const list = `<skills>\n${lines.all.join('\n')}\n</skills>`
  return {
    text: [list, ...bodies.all].join('\n\n'),
    ...(problems.length > 0 && {
      problem: `${problems.join(' ')} Give agents fewer skills, or shorten them.`,
    }),
  }
}

function listWithin(skills: readonly Skill[], maxChars: number) {
  const all: string[] = []
  let room = maxChars
  let cut = 0
  let hidden = 0
  for (const { name, description } of skills) {
    const whole = `- ${name}: ${description.replace(/[\s<>]+/g, ' ')}`
    const isCut = cut > 0 || whole.length > room
    const line = isCut ? `- ${name}` : whole
    if (isCut) cut++
    if (hidden > 0 || line.length > room) {
      hidden++
      continue
    }
    all.push(line)
    room -= line.length + 1
  }
  if (hidden > 0) all.push(`(${hidden} more skills are not listed here.)`)
  return { all, cut }
}

function bodiesWithin(skills: readonly Skill[], maxChars: number) {
  const all: string[] = []
  const left: string[] = []
  let room = maxChars
  for (const skill of skills.filter(({ isAlways }) => isAlways)) {
    if (skill.body.length > room) left.push(skill.name)
    else {
      all.push(renderSkill(skill))
      room -= skill.body.length
    }
  }
  return { all, left }
}
