import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { HandlerFailure } from '../handlers/handler-failure.ts'
import { textOf } from './alias-call.ts'
import type {
  AnyContext,
  DialectParts,
  ForeignCommand,
  ForeignHook,
  ForeignPrompt,
  ForeignRequest,
  ForeignToolCall,
} from './dialect.ts'
import type { DialectFacts, HandlerEnd } from './dialect-facts.ts'
import { fillHeaders } from './foreign-headers.ts'
import type { Moment } from './moment.ts'
import { argvOf } from './shell-argv.ts'

/** One handler that is to be asked about one moment. */
export interface HandlerRun {
  readonly facts: DialectFacts
  readonly parts: DialectParts
  readonly hook: ForeignHook
  readonly moment: Moment
  readonly context: AnyContext
  readonly timeoutMs: number
  /** Absent for those that nobody waits for. */
  readonly signal?: AbortSignal
}

/** Runs a handler of any type. Whatever goes wrong is an end, too. */
export async function runHandler(run: HandlerRun): Promise<HandlerEnd> {
  const { facts, hook, moment, parts } = run
  try {
    const stdin = facts.stdin(hook, moment, parts)
    const { handler } = hook
    if (handler.type === 'command') return await runCommand(run, handler, stdin)
    if (handler.type === 'http') return await sendRequest(run, handler, stdin)
    const asked =
      handler.type === 'prompt'
        ? askModel(run, handler, stdin)
        : callTool(run, handler, stdin)
    return await withinTime(asked, run.timeoutMs)
  } catch (thrown) {
    return { type: 'failure', failure: failureOf(thrown) }
  }
}

/** Models and tools keep no time of ours; what comes later counts for nothing. */
async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const failure = new HandlerFailure(
    'timed-out',
    'It took longer than its time.',
  )
  const timer = setTimeout(() => reject(failure), timeoutMs)
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}

const graceMs = 500

async function runCommand(
  { facts, parts, hook, moment, timeoutMs, signal }: HandlerRun,
  command: ForeignCommand,
  stdin: JsonObject,
): Promise<HandlerEnd> {
  const { droppedEnv } = facts
  const inherited = Object.entries(parts.env).filter(
    ([name]) => droppedEnv?.test(name) !== true,
  )
  const env = {
    ...Object.fromEntries(inherited),
    ...facts.env(hook, moment, parts),
    ...command.env,
  }
  const placeholders = facts.placeholders?.(hook, parts) ?? {}
  const end = await parts.runner.run({
    argv: argvOf(command, placeholders, env),
    env,
    cwd: folderOf(command, moment, parts),
    stdin: `${JSON.stringify(stdin)}\n`,
    timeoutMs,
    graceMs,
    checkStart() {
      const distrust = parts.checkTrust?.(hook, moment.cwd)
      if (distrust !== undefined)
        throw new HandlerFailure('untrusted', distrust)
    },
    ...(signal && { signal }),
  })
  return { type: 'command', end }
}

/** Relative scripts are everywhere, and break where the session has moved. */
function folderOf(
  { cwd }: ForeignCommand,
  moment: Moment,
  { projectDir, cwdRule = 'project' }: DialectParts,
): string {
  const isThere = moment.cwd !== '' && existsSync(moment.cwd)
  const base = cwdRule === 'session' && isThere ? moment.cwd : projectDir
  if (cwd === undefined) return base
  return isAbsolute(cwd) ? cwd : resolve(projectDir, cwd)
}

async function sendRequest(
  { parts, timeoutMs, signal }: HandlerRun,
  { url, headers, allowedEnv }: ForeignRequest,
  stdin: JsonObject,
): Promise<HandlerEnd> {
  const { sender, env } = parts
  if (sender === undefined) {
    throw new HandlerFailure('not-started', 'There is nothing to send with.')
  }
  const end = await sender.send({
    url,
    headers: {
      'content-type': 'application/json',
      ...fillHeaders(headers, allowedEnv, env),
    },
    body: JSON.stringify(stdin),
    timeoutMs,
    // The author wrote this machine's name; no other private address is meant.
    allowPrivate: isLoopback(url),
    ...(signal && { signal }),
  })
  return { type: 'http', end }
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

async function askModel(
  { facts, parts, hook, context }: HandlerRun,
  { prompt, model = parts.model }: ForeignPrompt,
  stdin: JsonObject,
): Promise<HandlerEnd> {
  const { callModel } = parts
  if (callModel === undefined || model === undefined) {
    throw new HandlerFailure('not-started', 'There is no model to be asked.')
  }
  const text = facts.prompt?.(hook, stdin) ?? prompt
  const response = await callModel(context, {
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    tools: [],
    settings: { maxOutputTokens: 1_024 },
  })
  if (response.stopReason === 'max_tokens') {
    throw new HandlerFailure('model', 'The reply of the model was cut off.')
  }
  return { type: 'prompt', text: textOf(response.content) }
}

async function callTool(
  { parts, context }: HandlerRun,
  { server, tool, input }: ForeignToolCall,
  stdin: JsonObject,
): Promise<HandlerEnd> {
  if (parts.callTool === undefined) {
    throw new HandlerFailure('not-started', 'There are no tools to be called.')
  }
  const name = `mcp__${server.replaceAll(':', '_')}__${tool}`
  const args = Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, filled(value, stdin)]),
  )
  const { result } = await parts.callTool(context, { tool: name, args })
  const text = textOf(result.content)
  return { type: 'tool', text, isError: result.isError }
}

/** `${tool_input.command}` stands for what the moment has there. */
function filled(value: JsonValue, stdin: JsonObject): JsonValue {
  if (typeof value !== 'string') return value
  return value.replace(/\$\{([\w.]+)\}/g, (_, path: string) => {
    const found = path
      .split('.')
      .reduce<unknown>((at, key) => ownMember(at, key), stdin)
    if (typeof found === 'string') return found
    return found === undefined ? '' : JSON.stringify(found)
  })
}

function ownMember(value: unknown, key: string): unknown {
  const isOwn =
    typeof value === 'object' && value !== null && Object.hasOwn(value, key)
  // It has just been found to be there.
  return isOwn ? (value as Record<string, unknown>)[key] : undefined
}

function failureOf(thrown: unknown): HandlerFailure {
  if (thrown instanceof HandlerFailure) return thrown
  const message = thrown instanceof Error ? thrown.message : 'It has failed.'
  return new HandlerFailure('crashed', message, thrown)
}
