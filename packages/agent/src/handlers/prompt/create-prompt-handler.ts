import { randomBytes } from 'node:crypto'
import { type Clock, type Point, systemClock } from 'hookline'
import type { ModelRequest, ModelResponse } from 'hookline/lifecycle'
import { AgentError } from '../../ports/agent-error.ts'
import { Deadline } from '../deadline.ts'
import type { PromptDefinition } from '../definition.ts'
import type { Handler, HandlerCall, HandlerReply } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { agreedAnswer } from './agreed-answer.ts'
import { answerForm, type HookRights, replySchema } from './answer-form.ts'
import { callJudge } from './call-judge.ts'
import { compileTemplate } from './compile-template.ts'
import { readVerdict, spokenText } from './read-verdict.ts'
import { renderTemplate } from './render-template.ts'
import { systemText } from './system-text.ts'

export interface PromptHandlerParts extends HookRights {
  /** Where the hook is: it says what may be answered. */
  readonly point: Point
  /** Of the hook; default 30 s. */
  readonly timeoutMs?: number
  /** Of what the model is shown; more is a failure, never cut. Default 200 000. */
  readonly maxInputChars?: number
  /** Default: the system's. */
  readonly clock?: Clock
}

/**
 * Asks a model for an answer that the point allows. A reply that is none is sent
 * back once; after that, or where the model fails, there is no answer. What is
 * wrong with the definition is an `AgentError` here.
 */
export function createPromptHandler(
  definition: PromptDefinition,
  parts: PromptHandlerParts,
): Handler {
  const { mustAgree = false } = definition
  const { point, timeoutMs = 30_000, maxInputChars = 200_000 } = parts
  const { clock = systemClock } = parts
  const template = compileTemplate(definition.template, point)
  const form = answerForm(point, parts)
  if (mustAgree && !form.canRefuse) {
    const message = `A prompt with mustAgree needs a point that can reject or ask, which ${point.name} cannot; leave it out.`
    throw new AgentError('invalid-config', message)
  }
  const settings = {
    maxOutputTokens: definition.maxOutputTokens ?? 4_096,
    responseSchema: replySchema(point, form),
  }

  const requestFor = ({ envelope, diagnose }: HandlerCall): ModelRequest => {
    const nonce = randomBytes(12).toString('hex')
    const { text, empty } = renderTemplate(template, envelope, nonce)
    if (text.length > maxInputChars) {
      const message = `The moment is larger than the ${maxInputChars} characters that a prompt may have; show less of it in the template.`
      throw new HandlerFailure('too-large', message)
    }
    for (const path of empty) {
      // To go on about nothing would be a yes that nobody gave.
      if (form.canRefuse) throw nothingAt(path)
      diagnose('prompt-empty-place', `There is nothing at {{${path}}}.`)
    }
    const system = systemText(envelope, form, nonce)
    return {
      model: definition.model,
      messages: [
        { role: 'system', content: [{ type: 'text', text: system }] },
        { role: 'user', content: [{ type: 'text', text }] },
      ],
      tools: [],
      settings,
    }
  }

  const judge = async (
    call: HandlerCall,
    deadline: Deadline,
  ): Promise<HandlerReply> => {
    const { run } = call.envelope
    const rules = { form, run, mustAgree }
    const request = requestFor(call)
    const first = await callJudge(call, request, deadline)
    let verdict = readVerdict(first, rules)
    if ('problem' in verdict) {
      call.diagnose('prompt-repaired', `Asked again: ${verdict.problem}`)
      const again = repairRequest(request, first, verdict.problem)
      const second = await callJudge(call, again, deadline)
      verdict = readVerdict(second, rules)
    }
    if ('problem' in verdict) {
      const message = `The model gave no answer, twice: ${verdict.problem}`
      throw new HandlerFailure('invalid', message)
    }
    const { diagnose } = call
    return {
      text: agreedAnswer(verdict, { ...rules, diagnose }),
      isBound: true,
    }
  }

  return {
    ask: async (call) => {
      const leftMs = () => Math.min(timeoutMs, call.remainingMs())
      const deadline = new Deadline(clock, leftMs, call.signal)
      try {
        return await judge(call, deadline)
      } finally {
        deadline.end()
      }
    },
  }
}

function nothingAt(path: string): HandlerFailure {
  const message = `There is nothing at {{${path}}} to be judged; correct it, or write {{${path}?}} where it may be missing.`
  return new HandlerFailure('not-started', message)
}

function repairRequest(
  request: ModelRequest,
  response: ModelResponse,
  problem: string,
): ModelRequest {
  const said = spokenText(response) || '(no text)'
  const text = `That cannot be used. ${problem} Judge again, and reply with the JSON object alone.`
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: [{ type: 'text', text: said }] },
      { role: 'user', content: [{ type: 'text', text }] },
    ],
  }
}
