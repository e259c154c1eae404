import type {
  Message,
  ModelContent,
  ModelResponse,
  TextEvent,
  ToolCallBlock,
} from 'hookline/lifecycle'
import { cutFailure, failureOf, finishFailure } from './failure.ts'
import { isCut, stopReasonOf, usageOf } from './finish.ts'
import { fileBlock } from './generated-file.ts'
import { dataOf, withResult } from './provider-data.ts'
import type {
  FinishPart,
  StreamPart,
  ToolCallPart,
  ToolResultPart,
} from './stream-part.ts'
import { TextBlocks, type TextDraft, textBlock } from './text-blocks.ts'
import { CallIds, parseArgs } from './tool-call.ts'

type Block = ModelContent[number]

/** A response while its stream is read. */
export class ResponseDraft {
  /** In the order in which they began; text is filled in until the end. */
  readonly #blocks: (Block | TextDraft)[] = []
  readonly #texts = new TextBlocks((draft) => this.#blocks.push(draft))
  readonly #ids: CallIds
  /** Where calls that the provider runs are, by the id that it knows. */
  readonly #providerCalls = new Map<string, number>()
  #finish: FinishPart | undefined

  constructor(messages: readonly Message[]) {
    this.#ids = new CallIds(messages)
  }

  /** Takes a part in; what it returns is to be told. Throws what has failed. */
  take(part: StreamPart): readonly TextEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#texts.take(part)
      case 'tool-call':
        this.#addCall(part)
        return []
      case 'tool-result':
        this.#addResult(part)
        return []
      case 'file':
        this.#blocks.push(fileBlock(part))
        return []
      case 'finish':
        this.#finish = finished(part)
        return []
      case 'error':
        throw failureOf(part.error)
      default:
        // A kind that is not read, or that came after this was written.
        return []
    }
  }

  /** Ends what is open: after a failure, and before the response. */
  close(): readonly TextEvent[] {
    return this.#texts.close()
  }

  response(): ModelResponse {
    if (this.#finish === undefined) throw cutFailure()
    const content = this.#blocks.flatMap((block) =>
      'kind' in block ? (textBlock(block) ?? []) : block,
    )
    const hasOpenCalls = content.some(
      (block) => block.type === 'tool_call' && block.providerExecuted !== true,
    )
    const stopReason = stopReasonOf(this.#finish.finishReason, hasOpenCalls)
    return { content, stopReason, usage: usageOf(this.#finish.usage) }
  }

  #addCall(part: ToolCallPart): void {
    const isProvidersOwn = part.providerExecuted === true
    if (isProvidersOwn) {
      this.#providerCalls.set(part.toolCallId, this.#blocks.length)
    }
    this.#blocks.push({
      type: 'tool_call',
      id: this.#ids.take(part.toolCallId),
      tool: part.toolName,
      args: parseArgs(part.input),
      ...(isProvidersOwn && { providerExecuted: true }),
      ...dataOf(part.providerMetadata),
    })
  }

  /**
   * A result goes back with its call, as data that only the provider reads: the
   * protocols refuse the one without the other. A later result replaces it.
   */
  #addResult({
    toolCallId,
    result: value,
    isError = false,
  }: ToolResultPart): void {
    const at = this.#providerCalls.get(toolCallId)
    if (at === undefined) return
    // Only calls are put at these places.
    const call = this.#blocks[at] as ToolCallBlock
    const providerData = withResult(call.providerData, { value, isError })
    this.#blocks[at] = { ...call, providerData }
  }
}

function finished(part: FinishPart): FinishPart {
  if (isCut(part.finishReason)) throw cutFailure()
  if (part.finishReason.unified === 'error') throw finishFailure()
  return part
}
