import { AgentError } from '../../index.ts'

/** A message of JSON-RPC, as far as it is looked at on its way. */
export interface RpcMessage {
  readonly jsonrpc: '2.0'
  readonly id?: string | number | undefined
  readonly method?: string | undefined
  readonly params?: { readonly [key: string]: unknown } | undefined
}

export interface SendOptions {
  readonly requestSignal?: AbortSignal | undefined
  readonly onRequestStreamEnd?: (() => void) | undefined
}

// By way of a method, so that whoever takes the messages of the package may
// take these.
type Take = { take(message: RpcMessage): void }['take']

/** What carries messages; the client sets the callbacks. */
export interface Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Take | undefined
  readonly hasPerRequestStream?: boolean
  start(): Promise<void>
  send(message: RpcMessage, options?: SendOptions): Promise<void>
  close(): Promise<void>
  setProtocolVersion?: ((version: string) => void) | undefined
}

export interface HttpTransport extends Transport {
  send(
    message: RpcMessage | readonly RpcMessage[],
    options?: SendOptions,
  ): Promise<void>
  terminateSession(): Promise<void>
}

/** Takes a result as it came: whoever asked reads it. */
export interface AnyResult {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: unknown }
  }
}

export interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface RpcRequest {
  readonly method: string
  readonly params?: { readonly [key: string]: unknown } | undefined
}

interface RequestOptions {
  readonly signal: AbortSignal
  readonly timeout: number
  readonly onprogress?: (progress: Progress) => void
}

export interface Client {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  /** Answers what has no handler of its own. */
  fallbackRequestHandler?(
    request: RpcRequest,
    context: { readonly mcpReq: { readonly signal: AbortSignal } },
  ): Promise<{ readonly [key: string]: unknown }>
  fallbackNotificationHandler?(notification: RpcRequest): Promise<void>
  connect(
    transport: Transport,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<void>
  request(
    request: RpcRequest,
    result: AnyResult,
    options: RequestOptions,
  ): Promise<unknown>
  getServerCapabilities(): ServerCapabilities | undefined
  close(): Promise<void>
}

export interface ServerCapabilities {
  readonly tools?: object | undefined
  readonly resources?: object | undefined
  readonly prompts?: object | undefined
}

interface Empty {
  [key: string]: never
}

/** What is used of the package; a type test holds it to that. */
export interface ClientPackage {
  readonly Client: new (
    info: { name: string; version: string },
    options: {
      capabilities: { elicitation?: { form: Empty }; roots?: Empty }
    },
  ) => Client
  readonly StreamableHTTPClientTransport: new (
    url: URL,
    options: {
      requestInit: { headers: Record<string, string>; redirect: 'error' }
      fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
      reconnectionOptions: {
        initialReconnectionDelay: number
        maxReconnectionDelay: number
        reconnectionDelayGrowFactor: number
        maxRetries: number
      }
    },
  ) => HttpTransport
  /** What the other side answers instead of a result. */
  readonly ProtocolError: new (
    code: number,
    message: string,
    data?: unknown,
  ) => Error & { readonly code: number }
  readonly SdkError: abstract new (
    ...parts: never
  ) => Error & { readonly code: string }
}

const name = '@modelcontextprotocol/client'

/** Loads the client, which nobody needs before a server is asked. */
export async function loadClientPackage(
  load: (name: string) => Promise<ClientPackage> = (asked) => import(asked),
): Promise<ClientPackage> {
  try {
    return await load(name)
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown
    const message = `MCP servers need the package ${name}; install it with: npm install ${name}`
    throw new AgentError('missing-package', message, thrown)
  }
}

/** The package itself; one that lacks a part of its own is broken, not missing. */
function isMissing(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false
  return (
    thrown.code === 'ERR_MODULE_NOT_FOUND' &&
    thrown.message.includes(`'${name}'`)
  )
}
