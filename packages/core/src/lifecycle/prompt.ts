import { type } from '../define/define-point.ts'
import type { UserContent } from './content.ts'
import type { MergedEntry } from './contributions/merge-context.ts'
import type { EffectivePolicy } from './contributions/merge-policies.ts'
import { promptContext } from './contributions/prompt-context.ts'
import { promptSection } from './contributions/prompt-section.ts'
import { toolBundle } from './contributions/tool-bundle.ts'
import { lifecyclePoint } from './lifecycle-point.ts'
import type { Message } from './message.ts'
import type { ModelAbilities } from './model-call.ts'
import type { PreflightPlan } from './preflight-plan.ts'
import type { PromptManifest } from './prompt-manifest.ts'

/** What is known of the turn while its prompt is made. */
export interface PromptInput {
  readonly content: UserContent
  readonly model: string
  readonly policies: readonly EffectivePolicy[]
}

export interface PromptContextInput extends PromptInput {
  readonly history: readonly Message[]
}

export interface ToolMaterializationInput extends PromptInput {
  /** The names that are taken. */
  readonly toolNames: readonly string[]
  readonly abilities: ModelAbilities
}

export interface PostPreflightInput extends PromptContextInput {
  readonly plan: PreflightPlan
  readonly context: readonly MergedEntry[]
}

export interface PromptCompileInput extends PromptInput {
  readonly plan: PreflightPlan
  readonly context: readonly MergedEntry[]
  readonly toolNames: readonly string[]
}

export interface CompiledPromptInput {
  readonly model: string
  readonly messages: readonly Message[]
  readonly manifest: PromptManifest
}

const fields = { model: ({ model }: { readonly model: string }) => model }

/** Recalls what is known to matter, before anything else is asked. */
export const turnPrePromptContext = lifecyclePoint('turn.pre_prompt_context', {
  input: type<PromptContextInput>(),
  flow: 'parallel',
  contributes: [promptContext],
  fields,
})

/** Brings the tools that this turn has beside the agent's own. */
export const turnPreToolMaterialization = lifecyclePoint(
  'turn.pre_tool_materialization',
  {
    input: type<ToolMaterializationInput>(),
    flow: 'parallel',
    contributes: [toolBundle],
    fields,
  },
)

/** Recalls what the preflight plan asks for. */
export const turnPostPreflightPromptContext = lifecyclePoint(
  'turn.post_preflight_prompt_context',
  {
    input: type<PostPreflightInput>(),
    flow: 'parallel',
    contributes: [promptContext],
    fields: { ...fields, plan: ({ plan }) => plan.source },
  },
)

/** Writes sections of the system prompt, knowing all that was merged so far. */
export const turnPrePromptCompile = lifecyclePoint('turn.pre_prompt_compile', {
  input: type<PromptCompileInput>(),
  flow: 'parallel',
  contributes: [promptSection],
  fields,
})

/** Shows the finished prompt and where each piece of it came from. */
export const turnPostPromptCompile = lifecyclePoint(
  'turn.post_prompt_compile',
  { input: type<CompiledPromptInput>(), flow: 'observe', fields },
)
