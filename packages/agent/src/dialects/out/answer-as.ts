import type { Engine } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'
import { namelessText } from '../../data/error-text.ts'
import { readStrictJson } from '../../handlers/answer/strict-json.ts'
import type { Aliases } from '../alias-call.ts'
import type { DialectName } from '../dialect.ts'
import { isObject } from '../printed.ts'
import { askPoints } from './ask-points.ts'
import { type Degradation, degrade } from './degrade.ts'
import { capableOf, inItsWords } from './deliverable.ts'
import { render } from './render.ts'
import type { Said } from './said.ts'
import { readTold, type Told } from './told.ts'

/** What a product tells its hook. */
export interface HookRequest {
  /** Default: what the input names. */
  readonly event?: string
  readonly stdinJson: string
}

export interface AnswerOptions {
  /** Whoever has the hooks that decide: of a runtime, or of a table alone. */
  readonly engine: Engine
  /** What cannot be changed as a hook wants it is refused; default: it runs. */
  readonly isStrict?: boolean
  /** By the name of our tool, beside and before the usual ones. */
  readonly tools?: Aliases
  /** Why no hook is asked: what can be refused is, and the rest is told so. */
  readonly refusal?: string | undefined
}

/** What a command has to print, and how it has to end. */
export interface HookReply {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly event: string | undefined
  /** Whether the event is anything to us. */
  readonly isAnswered: boolean
  /** False: something was refused, and the product goes on all the same. */
  readonly isEnforced: boolean
  readonly degradations: readonly Degradation[]
}

const maxBytes = 64 * 1_048_576

/**
 * Our hooks as a hook of another product: what it tells goes to our points, and
 * what they decide comes back as it reads it. Never throws; what fails refuses.
 */
export async function answerAs(
  dialect: DialectName,
  request: HookRequest,
  options: AnswerOptions,
): Promise<HookReply> {
  const { value, problem } = readStrictJson(request.stdinJson, limits)
  const stdin = isObject(value) ? value : undefined
  const event = request.event ?? eventIn(stdin)
  if (event === undefined)
    return refuse(undefined, 'It is not said what happens.')
  if (stdin === undefined) {
    return refuse(
      event,
      `The input cannot be read: ${problem?.message ?? 'it is no object.'}`,
    )
  }
  const { engine, isStrict = false, tools: aliases = {}, refusal } = options
  const told = readTold({ dialect, event, stdin, aliases })
  const can = told === undefined ? [] : capableOf(told)
  if (refusal !== undefined && !can.includes('deny')) {
    // No product blocks by this code where there is nothing to refuse.
    return { ...silence(dialect, event), stderr: `${refusal}\n`, exitCode: 1 }
  }
  if (told === undefined) return silence(dialect, event)
  const said: Said =
    refusal === undefined
      ? await ask(engine, told)
      : { decision: 'deny', reason: refusal }
  const spoken = inItsWords(said, told)
  const isRepresentable = spoken !== undefined
  const { verdict, degradations, isEnforced } = degrade(spoken ?? said, {
    ...{ told, can, isStrict, isRepresentable },
  })
  return replyOf(render(verdict, told), { told, degradations, isEnforced })
}

const limits = { maxBytes, maxKeys: 1_000_000, maxItems: 1_000_000 }

function eventIn(stdin: JsonObject | undefined): string | undefined {
  const event = stdin?.['hook_event_name']
  return typeof event === 'string' ? event : undefined
}

/** What goes wrong in our own hooks is theirs to decide; what is left refuses. */
async function ask(engine: Engine, told: Told): Promise<Said> {
  try {
    return await askPoints(engine, told)
  } catch (error) {
    const reason = `The hooks have failed: ${namelessText(error)}`
    return { decision: 'deny', reason }
  }
}

interface Replying {
  readonly told: Told
  readonly degradations: readonly Degradation[]
  readonly isEnforced: boolean
}

function replyOf(
  document: JsonObject,
  { told, degradations, isEnforced }: Replying,
): HookReply {
  const isEmpty = Object.keys(document).length === 0
  const needsJson = told.dialect === 'cursor'
  const stdout = isEmpty && !needsJson ? '' : JSON.stringify(document)
  const failures = degradations.filter(({ instead }) => instead === 'nothing')
  return {
    stdout,
    stderr: isEnforced ? '' : failures.map(({ message }) => message).join('\n'),
    // Nothing refuses here; the user is at least told, where there is a way.
    exitCode: isEnforced || !isEmpty ? 0 : 2,
    event: told.event,
    isAnswered: true,
    isEnforced,
    degradations,
  }
}

/** The one way to refuse that every product knows. */
function refuse(event: string | undefined, reason: string): HookReply {
  return {
    ...{ stdout: '', stderr: reason, exitCode: 2, event },
    isAnswered: false,
    isEnforced: true,
    degradations: [],
  }
}

function silence(dialect: DialectName, event: string): HookReply {
  return {
    stdout: dialect === 'cursor' ? '{}' : '',
    ...{ stderr: '', exitCode: 0, event },
    isAnswered: false,
    isEnforced: true,
    degradations: [],
  }
}
