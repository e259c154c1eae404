/** How requests of a client get to a daemon. */
export interface Transport {
  /** What people are told about where it leads. */
  readonly where: string
  send(request: TransportRequest): Promise<TransportAnswer>
  close(): void
}

export interface TransportRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}

export interface TransportAnswer {
  readonly status: number
  header(name: string): string | undefined
  text(): Promise<string>
  /** The body as it comes in. Whoever stops reading lets go of it. */
  pieces(): AsyncIterable<Uint8Array>
}
