import { freezeDeep, HookError, type MaybePromise, type Table } from 'hookline'
import {
  type AgentConfig,
  type MergedEntry,
  type MergedSection,
  type MergedTools,
  type ModelAbilities,
  mergeSections,
  mergeTools,
  type PreflightPlan,
  promptSection,
  toolBundle,
  turnPostPreflightPromptContext,
  turnPostPromptCompile,
  turnPrePromptCompile,
  turnPrePromptContext,
  turnPreToolMaterialization,
} from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { Model } from '../ports/model.ts'
import type { StepOpened } from '../ports/store.ts'
import { compileSystem } from '../prompt/compile-system.ts'
import { createManifest, type WrittenPrompt } from '../prompt/manifest.ts'
import { ask } from './ask.ts'
import { attempt, chain } from './chain.ts'
import { prependContext, readContext, tellInjected } from './edits.ts'
import { planAhead } from './plan-ahead.ts'
import { createToolSet, joinTools, restrictTools } from './tool-set.ts'
import type { Turn } from './turn.ts'
import { heed } from './wait.ts'

const phases = [
  turnPrePromptContext.name,
  turnPreToolMaterialization.name,
  turnPostPreflightPromptContext.name,
  turnPrePromptCompile.name,
  turnPostPromptCompile.name,
]

/**
 * Passes the phases of the prompt: what hooks bring is in the system prompt,
 * among the tools, and before what the user said.
 */
export function compilePrompt(turn: Turn): MaybePromise<void> {
  const { agent, progress, open } = turn
  if (open?.step !== undefined) return restorePrompt(turn, open.step)
  if (hasPhases(agent.table)) return passPhases(turn)
  // As if hooks did not exist.
  const prepare = () => {
    progress.system = systemOf(agent.config)
    prependContext(turn, progress.context)
    const { context } = progress
    showPrompt(turn, { sections: [], context, moments: 1 })
  }
  return chain(findAbilities(turn), prepare)
}

/** Whether a hook has a say in the prompt. */
const hasPhases = remember(({ plans }: Table) =>
  phases.some((phase) => plans.has(phase)),
)

/** What an agent is told where no hook adds to it: every turn the same. */
const systemOf = remember((config: AgentConfig) => compileSystem(config, []))

/** Finds out once for each value, which must not change. */
function remember<K extends object, T>(find: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { readonly found: T }>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before.found
    const found = find(key)
    known.set(key, { found })
    return found
  }
}

/** The prompt was made before; only its tools cannot be written down. */
async function restorePrompt(
  turn: Turn,
  { progress }: StepOpened,
): Promise<void> {
  await materializeTools(turn)
  turn.progress.system = freezeDeep(progress.system)
}

async function passPhases(turn: Turn): Promise<void> {
  const { agent, conversation, progress } = turn
  const { model } = agent.config
  const { content, policies } = progress
  const about = { content, model, policies }
  const withHistory = { ...about, history: [...conversation.shown] }

  const first = await ask(turn, turnPrePromptContext, withHistory)
  const early = readContext(
    turn,
    turnPrePromptContext.name,
    first.contributions,
  )

  await materializeTools(turn)
  const plan = await planAhead(turn)

  const second = await ask(turn, turnPostPreflightPromptContext, {
    ...withHistory,
    plan,
    context: early,
  })
  const { name } = turnPostPreflightPromptContext
  const late = readContext(turn, name, second.contributions)
  const context = [...progress.context, ...early, ...late]

  const sections = await writeSections(turn, plan, context)
  progress.system = compileSystem(agent.config, sections)
  prependContext(turn, context)
  // As its session began, and in two phases.
  showPrompt(turn, { sections, context, moments: 3 })
}

async function materializeTools(turn: Turn): Promise<void> {
  const { agent, progress } = turn
  const { model } = agent.config
  const { content, policies } = progress
  const abilities = await findAbilities(turn)
  const taken = [...agent.tools.byName.values()]
  const { contributions } = await ask(turn, turnPreToolMaterialization, {
    content,
    model,
    policies,
    toolNames: taken.map(({ tool }) => tool.name),
    abilities,
  })
  const bundles = contributions.of(toolBundle)
  if (bundles.length === 0) return
  const names = taken.map(({ tool, owner }) => ({ name: tool.name, owner }))
  const merged = mergeTools(bundles, names)
  if (merged.type === 'collision') throw duplicateTool(merged)
  const brought = createToolSet(
    merged.tools.map((tool) => ({ tool, owner: tool.owner })),
  )
  const allowed = agent.toolLists.reduce(restrictTools, brought)
  progress.tools = joinTools(agent.tools, allowed)
  progress.withheldTools = [...brought.byName.keys()].filter(
    (name) => !allowed.byName.has(name),
  )
  for (const [name, { owner: hook }] of allowed.byName) {
    const point = turnPreToolMaterialization.name
    tellInjected(turn, { hook, point, subject: 'tools', id: name })
  }
}

/** Whoever reads it may not see the hook: only the cause names that. */
function duplicateTool({
  collisions,
  diagnostics,
}: Extract<MergedTools, { type: 'collision' }>): AgentError {
  const why = diagnostics.map((one) => one.message).join(' ')
  const code = 'contribution-not-allowed'
  const cause = new HookError(code, why, collisions[0]?.hook)
  const tools = new Set(collisions.map(({ tool }) => `"${tool}"`))
  const message = `A hook brings what others already have; rename one: ${[...tools].join(', ')}.`
  return new AgentError('duplicate-tool', message, cause)
}

async function writeSections(
  turn: Turn,
  plan: PreflightPlan,
  context: readonly MergedEntry[],
): Promise<readonly MergedSection[]> {
  const { content, policies, tools } = turn.progress
  const { model, budgets } = turn.agent.config
  const { contributions } = await ask(turn, turnPrePromptCompile, {
    content,
    model,
    policies,
    plan,
    context,
    toolNames: [...tools.byName.keys()],
  })
  if (contributions.all.length === 0) return []
  const { sections } = mergeSections(
    contributions.of(promptSection),
    budgets?.sections,
  )
  for (const { section, fragments } of sections) {
    for (const { hook, content: text } of fragments) {
      const point = turnPrePromptCompile.name
      tellInjected(turn, { hook, point, subject: 'section', id: section, text })
    }
  }
  return sections
}

/** Shows the finished prompt; making the manifest costs, so only to someone. */
function showPrompt(turn: Turn, written: WrittenPrompt): void {
  const { agent, conversation, events, parts, progress } = turn
  const isObserved = agent.table.plans.has(turnPostPromptCompile.name)
  const { sections, context } = written
  const pieces = [sections, context, agent.config.fragments ?? []]
  const isPlain = pieces.every(({ length }) => length === 0)
  if (isPlain && !isObserved) return
  if (!isObserved && !events.isWatched && parts.store === undefined) return
  const manifest = createManifest(agent.config, written)
  if (!isPlain) {
    progress.prompt = manifest
    if (events.isWatched) void events.emit({ type: 'prompt', manifest })
  }
  if (!isObserved) return
  const { system } = progress
  void ask(turn, turnPostPromptCompile, {
    model: agent.config.model,
    messages: [...(system ? [system] : []), ...conversation.shown],
    manifest,
  })
}

/** What the agent's model can take; an unknown one is the call's own error. */
function findAbilities({ agent, parts, progress, signal }: Turn) {
  const note = ({ abilities }: Pick<Model, 'abilities'>) => {
    progress.contextTokens ??= abilities.contextTokens
    return abilities
  }
  return attempt(
    () => heed(parts.models.resolve(agent.config.model), signal),
    note,
    () => note({ abilities: anything }),
  )
}

const anything: ModelAbilities = Object.freeze({
  tools: true,
  images: true,
  files: true,
  reasoning: true,
})
