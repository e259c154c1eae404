import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { readSkill } from './read-skill.ts'
import type { Skill, SkillProblem } from './skill.ts'

export interface LoadedSkills {
  /** By name. */
  readonly skills: ReadonlyMap<string, Skill>
  readonly problems: readonly SkillProblem[]
}

const maxFileBytes = 512 * 1_024
const maxSkills = 1_000

/**
 * Reads the skills of all roots: every folder with a SKILL.md is one. Of two
 * with one name the first root's is used, and the other is told of.
 */
export async function loadSkills(
  roots: readonly string[],
): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>()
  const problems: SkillProblem[] = []
  for (const root of roots) {
    for (const { file, folder } of await candidatesIn(root, problems)) {
      if (skills.size >= maxSkills) {
        const message = `There are more than ${maxSkills} skills; this one is left out.`
        problems.push({ code: 'too-many', file, message })
        continue
      }
      const skill = await loadSkill(file, folder, problems)
      if (skill === undefined) continue
      const first = skills.get(skill.name)
      if (first === undefined) {
        skills.set(skill.name, skill)
        continue
      }
      const message = `There is a skill "${skill.name}" in "${first.folder}" already, which is used.`
      problems.push({ code: 'shadowed', file, message })
    }
  }
  return { skills, problems }
}

/** Folders with a SKILL.md, in the order of their names. */
async function candidatesIn(root: string, problems: SkillProblem[]) {
  let real: string
  let names: string[]
  try {
    real = await realpath(root)
    const entries = await readdir(real, { withFileTypes: true })
    const folders = entries.filter((one) => !one.isFile())
    names = folders.map(({ name }) => name).sort()
  } catch (error) {
    // A root that is not there has no skills.
    if (codeOf(error) === 'ENOENT') return []
    const message = 'The folder cannot be read.'
    problems.push({ code: 'unreadable', file: root, message })
    return []
  }
  const found: { readonly file: string; readonly folder: string }[] = []
  for (const name of names) {
    const folder = join(root, name)
    const file = join(folder, 'SKILL.md')
    try {
      const target = await realpath(file)
      if (target.startsWith(`${real}${sep}`)) {
        found.push({ file, folder })
        continue
      }
      const message = 'It leads out of its root.'
      problems.push({ code: 'outside-root', file, message })
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) continue
      problems.push({ code: 'unreadable', file, message: 'It cannot be read.' })
    }
  }
  return found
}

async function loadSkill(
  file: string,
  folder: string,
  problems: SkillProblem[],
): Promise<Skill | undefined> {
  let text: string
  try {
    // A pipe would keep us waiting.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = await handle.stat()
      if (!stat.isFile() || stat.size > maxFileBytes) {
        const message = `It is no file of at most ${maxFileBytes} bytes.`
        problems.push({ code: 'too-large', file, message })
        return undefined
      }
      text = await handle.readFile('utf8')
    } finally {
      await handle.close()
    }
  } catch {
    problems.push({ code: 'unreadable', file, message: 'It cannot be read.' })
    return undefined
  }
  const { skill, problem } = readSkillOf(text, folder)
  if (skill !== undefined) return skill
  problems.push({ code: 'invalid-skill', file, message: problem })
  return undefined
}

function readSkillOf(text: string, folder: string) {
  const read = readSkill(text, { folder, folderName: basename(folder) })
  return read.problem === undefined
    ? { skill: read.skill, problem: '' }
    : { skill: undefined, problem: read.problem }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
