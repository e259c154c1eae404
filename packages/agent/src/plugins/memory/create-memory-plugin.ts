import {
  AgentError,
  definePlugin,
  type Memories,
  type Plugin,
  type Runtime,
} from '../../index.ts'
import { AgentMemories } from './agent-memories.ts'
import { modelExtractor } from './extract-by-model.ts'
import { extractByRules } from './extract-by-rules.ts'
import { type Extract, extractorHook } from './extractor-hook.ts'
import { modelClassifier } from './model-classifier.ts'
import { type OverridePolicy, policyHook } from './policy-hook.ts'
import { promptContractHook } from './prompt-contract-hook.ts'
import { activeRecallHook, deterministicRecallHook } from './recall-hooks.ts'
import { toolBundleHook } from './tool-bundle-hook.ts'

export interface MemoryPluginOptions {
  /** Where memories are: a store's, or `createTransientMemories()`. */
  readonly memories: Memories
  /** What the host knows of a turn; then the turn itself is not looked at. */
  readonly override?: OverridePolicy
  /** Who looks at what a turn says about memory; default: rules. */
  readonly classifier?: ByModel
  /** Who finds what a turn told; default: rules. False: nobody. */
  readonly extractor?: ByModel | false
  /** How long the prompt waits for a recall; default 1 s. */
  readonly recallDeadlineMs?: number
  /** What the memories of one recall may take, in code points; default 3 000. */
  readonly maxRecallChars?: number
  /** How long a memory of the `remember` tool may be; default 2 000. */
  readonly maxTextChars?: number
}

/** A model, by its name in the runtime's registry. */
interface ByModel {
  readonly model: string
}

/**
 * Memory across sessions: the tools recall, remember and forget, and what is
 * recalled, told and kept around each turn. An agent has it if its config has
 * `plugins.memory`, with or without anything in it.
 */
export function createMemoryPlugin(options: MemoryPluginOptions): Plugin {
  const { memories, override, classifier, extractor } = options
  const { recallDeadlineMs: deadlineMs = 1_000 } = options
  const { maxRecallChars = 3_000 } = options
  const { maxTextChars = 2_000 } = options
  const agents = new AgentMemories()
  let host: Runtime | undefined
  const runtime = () => {
    if (host !== undefined) return host
    throw new AgentError('invalid-call', 'The memory plugin is not set up yet.')
  }
  const classify = classifier && modelClassifier(runtime, classifier.model)
  const extract: Extract = extractor
    ? modelExtractor(runtime, extractor.model)
    : async ({ userPreview }) => extractByRules(userPreview)
  const recall = { agents, memories, deadlineMs, maxRecallChars }
  return definePlugin({
    name: 'memory',
    hooks: [
      policyHook({ agents, override, classify }),
      deterministicRecallHook(recall),
      toolBundleHook({ agents, memories, maxTextChars }),
      activeRecallHook(recall),
      promptContractHook(agents),
      ...(extractor === false
        ? []
        : [extractorHook({ agents, memories, extract })]),
    ],
    setup(given) {
      host = given.runtime
    },
    register: (config) => agents.register(config),
    unregister: (config) => agents.unregister(config),
  })
}
