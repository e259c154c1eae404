/** One request that is to be made. */
export interface HttpSpec {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /**
   * Over everything, the body of the reply included. Where it is what a caller
   * has left it is asked for when the request begins.
   */
  readonly timeoutMs: number | (() => number)
  readonly signal?: AbortSignal
  readonly allowPrivate?: boolean
  /** Of the reply, as it is sent and as it is unpacked; default 1 MiB. */
  readonly maxBodyBytes?: number
  /** The server knows a request it has seen, so that it may come twice. */
  readonly mayRepeat?: boolean
  /** So many at the same time to this endpoint; default 8. */
  readonly concurrency?: number
  /** Is told what did not fail but should be known. */
  readonly diagnose?: (code: string, message: string) => void
}

export interface HttpEnd {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly elapsedMs: number
}

/**
 * Makes POST requests, so many at a time to one endpoint. A reply with any
 * status but a redirect is an `HttpEnd`; else it is a `HandlerFailure`.
 */
export interface HttpSender {
  send(spec: HttpSpec): Promise<HttpEnd>
  close(): Promise<void>
}
