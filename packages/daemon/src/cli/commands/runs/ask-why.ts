import type { RecordsClient } from '../../../open-records.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import type { InputOf } from '../../../protocol/operations.ts'
import type { CallExplanation } from '../../../protocol/schemas/records.ts'
import { CliError } from '../../cli-error.ts'
import type { Output } from '../../output/output.ts'
import { plainLine } from '../../output/plain-text.ts'

type Wanted = InputOf<'whyCall'>

/** Asks about a call; where several have its id, about the one of this folder. */
export async function askWhy(
  client: RecordsClient,
  wanted: Wanted,
  output: Output,
): Promise<CallExplanation> {
  const told = await askOnce(client, wanted)
  if (!(told instanceof ProtocolError)) return told
  // A daemon that is older takes no folder.
  const near = { ...wanted, cwd: process.cwd() }
  const here = await askOnce(client, near).catch(() => told)
  if (here instanceof ProtocolError) throw whichOne(wanted, here)
  const id = plainLine(wanted.callId)
  output.note(
    `Other folders have a call "${id}" as well; this is the one of this folder.`,
  )
  return here
}

/** Gives the error that says that it may be one of several. */
async function askOnce(
  client: RecordsClient,
  wanted: Wanted,
): Promise<CallExplanation | ProtocolError> {
  try {
    return await client.whyCall(wanted)
  } catch (error) {
    const isSeveral =
      error instanceof ProtocolError && error.code === 'conflict'
    if (isSeveral) return error
    throw error
  }
}

function whichOne({ callId }: Wanted, cause: ProtocolError): CliError {
  const { problems = [] } = cause
  const message = `${problems.length} calls have the id "${callId}"; name one with --session and --turn.`
  const lines = problems.map(({ path, message: what }) => {
    const at = path.lastIndexOf('/')
    const [session, turn] = [path.slice(0, at), path.slice(at + 1)]
    return `--session ${session} --turn ${turn}: ${what}`
  })
  return new CliError('failed', message, { cause, hint: lines.join('\n') })
}
