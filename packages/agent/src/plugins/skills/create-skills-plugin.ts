import { compileCondition } from 'hookline'
import type { AgentConfig } from 'hookline/lifecycle'
import {
  definePlugin,
  defineTool,
  type Plugin,
  type PluginHost,
} from '../../index.ts'
import { type LoadedSkills, loadSkills } from './load-skills.ts'
import { renderListing } from './render-listing.ts'
import { renderSkill } from './render-skill.ts'
import type { Skill, SkillProblem } from './skill.ts'
import { type SkillUser, skillHooks } from './skill-hooks.ts'
import { watchRoots } from './watch-roots.ts'

export interface SkillsPluginOptions {
  /** Folders of folders with a SKILL.md; of two with one name the first counts. */
  readonly roots: readonly string[]
  /** Reads them again when they change; default true. */
  readonly watch?: boolean
  /** Hears of folders that are no skills, whenever they are read. */
  readonly onProblems?: (problems: readonly SkillProblem[]) => void
  /** Names that skills have for tools, and the tools'. */
  readonly toolAliases?: Readonly<Record<string, string>>
}

export interface SkillsPlugin extends Plugin {
  /** All that were found, in the order of their roots, or those of an agent. */
  list(agent?: string): readonly Skill[]
  /** Folders that are no skills. */
  problems(): readonly SkillProblem[]
  /** Reads them again, now. */
  reload(): Promise<void>
}

const maxTold = 100

const usage =
  'Skills are instructions for particular work. Before you do work that one of them is about, read it with `skill`, and follow it.'

/** The names by which skills of others call the tools of the os plugin. */
const usualAliases = {
  Bash: 'shell',
  Read: 'read',
  Write: 'write',
  Edit: 'edit',
  Glob: 'glob',
  Grep: 'grep',
}

/** Skills from folders: listed in the prompt, read when they are needed. */
export function createSkillsPlugin(options: SkillsPluginOptions): SkillsPlugin {
  const { roots, watch = true, onProblems = () => {} } = options
  let host: PluginHost | undefined
  let loaded: LoadedSkills = { skills: new Map(), problems: [] }
  /** By agent: what of its skills has no room in its prompt. */
  const overBudget = new Map<string, SkillProblem>()
  let stopWatching = async () => {}

  /** Says whether it is something else than before. */
  const load = async () => {
    const before = loaded
    loaded = await loadSkills(roots)
    return !isSame(before, loaded)
  }

  /** As it was built last. */
  const configOf = (agent: string | undefined) =>
    host?.runtime.agents.find(({ name }) => name === agent)
  /** Those that all of them may use. Absent: all. Empty: none. */
  const sharedSkills = (configs: readonly AgentConfig[]): readonly Skill[] => {
    const lists = configs.flatMap(({ skills }) => (skills ? [skills] : []))
    const tests = lists.map((list) => compileCondition(list))
    return [...loaded.skills.values()].filter(({ name }) =>
      tests.every((isAllowed) => isAllowed(name)),
    )
  }
  /** Those of an agent, as far as those that it was made by have them. */
  const skillsOf = (config: AgentConfig): readonly Skill[] => {
    const line = [config]
    let next = configOf(config.parent)
    while (next !== undefined && !line.includes(next)) {
      line.push(next)
      next = configOf(next.parent)
    }
    return sharedSkills(line)
  }
  /** The same for those it works for. Whom nobody has registered has none. */
  const skillsFor = ({ agent, parents = [] }: SkillUser) => {
    const configs = [agent, ...parents].flatMap((one) => configOf(one) ?? [])
    const isKnown = configs.length === parents.length + 1
    return isKnown ? sharedSkills(configs) : []
  }

  const skillTool = defineTool({
    name: 'skill',
    description: 'Gives the instructions of a skill, by its name.',
    input: {
      type: 'object',
      properties: { name: { type: 'string', maxLength: 100 } },
      required: ['name'],
      additionalProperties: false,
    },
    safety: 'read_only',
    idempotent: true,
    execute({ name }, { scope }) {
      const known = skillsFor(scope)
      const skill = known.find((one) => one.name === name)
      if (skill !== undefined) return renderSkill(skill)
      const names = known.map((one) => one.name).join(', ') || 'none'
      throw new Error(
        `You have no skill ${JSON.stringify(name)}. There are: ${names}.`,
      )
    },
  })

  const readAgain = async () => {
    if (await load()) await host?.rebuild()
    onProblems(allProblems())
  }

  const allProblems = () => [...loaded.problems, ...overBudget.values()]
  /** Told when it is new: agents are built again and again. */
  const noteListing = (agent: string, problem: string | undefined) => {
    if (problem === undefined) {
      overBudget.delete(agent)
      return
    }
    const file = roots[0] ?? ''
    const message = `Agent "${agent}": ${problem}`
    if (overBudget.get(agent)?.message === message) return
    overBudget.set(agent, { code: 'over-budget', file, message })
    // Agents come and go.
    const [oldest = ''] = overBudget.keys()
    if (overBudget.size > maxTold) overBudget.delete(oldest)
    onProblems(allProblems())
  }

  const plugin = definePlugin({
    name: 'skills',
    tools: [skillTool],
    hooks: skillHooks({
      skillsFor,
      isSkill: (name) => loaded.skills.has(name),
      aliases: { ...usualAliases, ...options.toolAliases },
    }),
    async setup(given: PluginHost) {
      host = given
      const first = load()
      if (watch) {
        stopWatching = watchRoots(roots, async () => {
          // What was read last is the newest.
          await first
          await readAgain()
        })
      }
      await first
      onProblems(loaded.problems)
    },
    dispose: () => stopWatching(),
    scopedTools: (config) => ({
      tools: skillsOf(config).length === 0 ? [] : ['skill'],
    }),
    prompt: (config) => (skillsOf(config).length === 0 ? undefined : usage),
    resources(config) {
      const skills = skillsOf(config)
      if (skills.length === 0) return undefined
      const { text, problem } = renderListing(skills)
      noteListing(config.name, problem)
      return text
    },
  })
  return Object.freeze({
    ...plugin,
    list: (agent?: string) =>
      agent === undefined ? [...loaded.skills.values()] : skillsFor({ agent }),
    problems: allProblems,
    reload: readAgain,
  })
}

function isSame({ skills: one }: LoadedSkills, { skills }: LoadedSkills) {
  return JSON.stringify([...one]) === JSON.stringify([...skills])
}
