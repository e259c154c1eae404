import {
  defineCell,
  defineHook,
  type Hook,
  proceed,
  reject,
  type State,
  transform,
} from 'hookline'
import {
  type AgentScope,
  promptContext,
  subagentStart,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  turnInput,
  turnPrePromptContext,
  type UserContent,
} from 'hookline/lifecycle'
import { compileAllowed } from './allowed-tools.ts'
import { findTriggered, pathsIn } from './find-triggered.ts'
import { renderAbsent, renderSkill } from './render-skill.ts'
import type { Skill } from './skill.ts'
import { slashCommandsIn } from './slash.ts'

/** An agent, and those that it works for. */
export type SkillUser = Pick<AgentScope, 'agent' | 'parents'>

export interface SkillHookParts {
  readonly skillsFor: (user: SkillUser) => readonly Skill[]
  /** Whether there is such a skill, whoever may use it. */
  readonly isSkill: (name: string) => boolean
  readonly aliases: Readonly<Record<string, string>>
}

/** Skills that the turn has read, and what they allow. */
const activeSkills = defineCell('skills.active', {
  initial: (): Readonly<Record<string, readonly string[]>> => ({}),
  scope: 'turn',
})
/** Skills that the session was told of, so that it is told once. */
const hintedSkills = defineCell('skills.hinted', {
  initial: (): readonly string[] => [],
  scope: 'session',
})

export function skillHooks(parts: SkillHookParts): readonly Hook[] {
  return [
    slashHook(parts),
    hintHook(parts),
    pathHook(parts),
    activationHook(parts),
    allowanceHook(parts),
    handingOnHook(parts),
  ]
}

/** `/name args` in a message brings the skill with it. */
function slashHook({ skillsFor, isSkill }: SkillHookParts) {
  return defineHook({
    name: 'skills:slash',
    on: turnInput,
    // What other agents or earlier work say is no command of the user's.
    match: { origin: 'user' },
    writes: true,
    async run({ content }, { scope, state }) {
      const commands = slashCommandsIn(wordsOf(content))
      const names = [...new Set(commands.map(({ name }) => name))]
      const known = skillsFor(scope)
      const added: string[] = []
      for (const name of names.filter(isSkill)) {
        const skill = known.find((one) => one.name === name)
        if (skill === undefined) {
          added.push(renderAbsent(name, 'This skill is not available here.'))
          continue
        }
        added.push(renderSkill(skill))
        await activate(state, skill)
      }
      if (added.length === 0) return proceed
      const blocks = added.map((text) => ({ type: 'text' as const, text }))
      return transform([...content, ...blocks])
    },
  })
}

/** A skill whose keywords or files the user names is pointed out. */
function hintHook({ skillsFor }: SkillHookParts) {
  return defineHook({
    name: 'skills:triggers',
    on: turnPrePromptContext,
    capabilities: ['context'],
    async run({ content }, { scope, state, contribute }) {
      const words = wordsOf(content)
      const paths = pathsIn(words)
      const found = findTriggered(skillsFor(scope), { words, paths })
      const hint = await hintFor(state, found)
      if (hint !== undefined) contribute(promptContext(hint))
      return proceed
    },
  })
}

/** The same for files that calls name. */
function pathHook({ skillsFor }: SkillHookParts) {
  return defineHook({
    name: 'skills:paths',
    on: toolPostBatch,
    capabilities: ['context'],
    async run({ results }, { scope, state, contribute }) {
      const skills = skillsFor(scope)
      if (!skills.some(({ triggers }) => triggers?.paths)) return proceed
      const paths = results.flatMap(({ call: { args } }) =>
        Object.values(args).filter((value) => typeof value === 'string'),
      )
      const found = findTriggered(skills, { words: '', paths })
      const hint = await hintFor(state, found)
      if (hint !== undefined) contribute(promptContext(hint))
      return proceed
    },
  })
}

/** A skill that was read holds for the rest of the turn. */
function activationHook({ skillsFor }: SkillHookParts) {
  return defineHook({
    name: 'skills:activate',
    on: toolPostCall,
    match: { tool: 'skill', owner: 'skills', isError: false },
    // It judges nothing: whatever becomes of the words, they were read.
    beforeWrites: true,
    async run({ call }, { scope, state }) {
      const { name } = call.args
      const skill = skillsFor(scope).find((one) => one.name === name)
      if (skill !== undefined) await activate(state, skill)
      return proceed
    },
  })
}

/** Calls that a skill of the turn does not allow are refused. */
function allowanceHook(parts: SkillHookParts) {
  return defineHook({
    name: 'skills:allowed-tools',
    on: toolGuard,
    async run(call, { scope, state }) {
      if (call.owner === 'skills' && call.tool === 'skill') return proceed
      for (const [name, rules] of await allowances(parts, scope, state)) {
        if (compileAllowed(rules, parts.aliases)(call)) continue
        return reject(`Skill "${name}" allows only: ${namesOf(rules)}.`)
      }
      return proceed
    },
  })
}

/** Whoever works for the turn is not held to its skills: then nobody does. */
function handingOnHook(parts: SkillHookParts) {
  return defineHook({
    name: 'skills:no-handing-on',
    on: subagentStart,
    async run(_, { scope, state }) {
      const [first] = await allowances(parts, scope, state)
      if (first === undefined) return proceed
      const [name, rules] = first
      return reject(
        `Skill "${name}" allows only: ${namesOf(rules)}. Another agent would not be held to it; do the work yourself.`,
      )
    },
  })
}

/** What the skills of a turn allow: those it has read, and those always on. */
async function allowances(
  { skillsFor }: SkillHookParts,
  user: SkillUser,
  state: State,
): Promise<readonly (readonly [string, readonly string[]])[]> {
  const always = skillsFor(user).flatMap(({ name, isAlways, allowedTools }) =>
    isAlways && allowedTools ? [[name, allowedTools] as const] : [],
  )
  return [...always, ...Object.entries(await state.get(activeSkills))]
}

function namesOf(rules: readonly string[]): string {
  return rules.join(', ') || 'no tool'
}

async function activate(state: State, skill: Skill): Promise<void> {
  const { name, allowedTools } = skill
  if (allowedTools === undefined) return
  await state.update(activeSkills, (active) => ({
    ...active,
    [name]: allowedTools,
  }))
}

async function hintFor(state: State, found: readonly Skill[]) {
  if (found.length === 0) return undefined
  let fresh: readonly Skill[] = []
  await state.update(hintedSkills, (hinted) => {
    fresh = found.filter(({ name }) => !hinted.includes(name))
    return [...hinted, ...fresh.map(({ name }) => name)]
  })
  if (fresh.length === 0) return undefined
  const names = fresh.map(({ name }) => `"${name}"`).join(', ')
  const content = `These skills may be of use here: ${names}. Read them with \`skill\` before you go on.`
  return { id: 'skills-that-fit', domain: 'skills', content }
}

function wordsOf(content: UserContent): string {
  return content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
}
