/** How a turn ended, as an event has it. */
interface ToldEnd {
  readonly reason?: string | undefined
  readonly error?:
    | { readonly message: string; readonly hook?: string | undefined }
    | undefined
}

/** Why a turn ended as it did, where anybody has said so. */
export function whyEnded({ reason, error }: ToldEnd): string | undefined {
  if (reason !== undefined || error === undefined) return reason
  const { message, hook } = error
  return hook === undefined ? message : `${message} It is the hook "${hook}".`
}
