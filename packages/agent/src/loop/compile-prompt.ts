import type { MaybePromise } from 'hookline'
import {
  type MergedEntry,
  type MergedSection,
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
import { compileSystem } from '../prompt/compile-system.ts'
import { createManifest } from '../prompt/manifest.ts'
import { ask } from './ask.ts'
import { prependContext, readContext } from './edits.ts'
import { createToolSet, joinTools, restrictTools } from './tool-set.ts'
import type { Turn } from './turn.ts'

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
  const { agent, progress, parts } = turn
  const { plans } = agent.table
  if (phases.some((phase) => plans.has(phase))) return passPhases(turn)
  // As if hooks did not exist.
  const { model, instructions } = agent.config
  const prepare = ({ abilities }: Model) => {
    progress.contextTokens ??= abilities.contextTokens
    progress.system = compileSystem(instructions, [])
    prependContext(turn, progress.context)
  }
  const found = parts.models.resolve(model)
  return found instanceof Promise ? found.then(prepare) : prepare(found)
}

async function passPhases(turn: Turn): Promise<void> {
  const { agent, conversation, progress, parts } = turn
  const { model, instructions } = agent.config
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
  const plan: PreflightPlan = await parts.preflight.plan(content)

  const second = await ask(turn, turnPostPreflightPromptContext, {
    ...withHistory,
    plan,
    context: early,
  })
  const { name } = turnPostPreflightPromptContext
  const late = readContext(turn, name, second.contributions)
  const context = [...progress.context, ...early, ...late]

  const sections = await writeSections(turn, plan, context)
  progress.system = compileSystem(instructions, sections)
  prependContext(turn, context)
  observePrompt(turn, sections, context)
}

async function materializeTools(turn: Turn): Promise<void> {
  const { agent, progress, parts } = turn
  const { model, tools: allowed } = agent.config
  const { content, policies } = progress
  const { abilities } = await parts.models.resolve(model)
  progress.contextTokens ??= abilities.contextTokens
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
  if (merged.type === 'collision') {
    const message = merged.diagnostics.map((one) => one.message).join(' ')
    throw new AgentError('duplicate-tool', message)
  }
  const brought = createToolSet(
    merged.tools.map((tool) => ({ tool, owner: tool.owner })),
  )
  progress.tools = joinTools(agent.tools, restrictTools(brought, allowed))
  for (const { name, owner: hook } of merged.tools) {
    if (!turn.events.isWatched) break
    const point = turnPreToolMaterialization.name
    const edit = { hook, point, subject: 'tools' as const, id: name }
    turn.events.emit({ type: 'hook-inject', ...edit })
  }
}

async function writeSections(
  turn: Turn,
  plan: PreflightPlan,
  context: readonly MergedEntry[],
): Promise<readonly MergedSection[]> {
  const { content, policies, tools } = turn.progress
  const { contributions } = await ask(turn, turnPrePromptCompile, {
    content,
    model: turn.agent.config.model,
    policies,
    plan,
    context,
    toolNames: [...tools.byName.keys()],
  })
  if (contributions.all.length === 0) return []
  const { sections } = mergeSections(contributions.of(promptSection))
  for (const { section, fragments } of sections) {
    for (const { hook, content: text } of fragments) {
      if (!turn.events.isWatched) break
      const point = turnPrePromptCompile.name
      const about = { hook, point, subject: 'section' as const }
      turn.events.emit({ type: 'hook-inject', ...about, id: section, text })
    }
  }
  return sections
}

/** Shows the finished prompt; making the manifest costs, so only to someone. */
function observePrompt(
  turn: Turn,
  sections: readonly MergedSection[],
  context: readonly MergedEntry[],
): void {
  const { agent, conversation, progress } = turn
  if (!agent.table.plans.has(turnPostPromptCompile.name)) return
  const { instructions, model } = agent.config
  const { system } = progress
  void ask(turn, turnPostPromptCompile, {
    model,
    messages: [...(system ? [system] : []), ...conversation.shown],
    manifest: createManifest(instructions, sections, context),
  })
}
