/** What a product reads: it is printed, and the process ends so. */
export interface BridgeReply {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** To refuse the end of a turn is to have the agent go on. */
const endings = /^(?:sub-?agent|agent|session)?-?(?:stop|end)$|^after-?agent$/i

/**
 * The one way to refuse that every product knows. Where something ends anyway
 * there is nothing to keep from happening, and it is only said what failed.
 */
export function refusal(
  reason: string,
  asked: { readonly event?: string | undefined; readonly stdin?: string } = {},
): BridgeReply {
  const event = asked.event ?? eventIn(asked.stdin ?? '')
  const isEnding = endings.test(event)
  return {
    stdout: '',
    stderr: `hookline: ${reason}\n`,
    exitCode: isEnding ? 1 : 2,
  }
}

function eventIn(stdin: string): string {
  try {
    const event: unknown = Object(JSON.parse(stdin)).hook_event_name
    return typeof event === 'string' ? event : ''
  } catch {
    return ''
  }
}
