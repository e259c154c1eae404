import { network, sandbox } from './call-schemas.ts'
import {
  anything,
  count,
  exactly,
  flag,
  list,
  name,
  number,
  object,
  oneOf,
  record,
  text,
  words,
} from './typed-schema.ts'

/** The contributions that are data, by kind; tools hold functions. */
export const contributionSchemas = {
  context: object(
    { id: name, domain: name, content: text },
    {
      weight: number,
      maxCodePoints: count,
      sources: list(text),
      isDurable: flag,
    },
  ),
  section: object(
    { section: name, content: text },
    { title: words, order: number, maxCodePoints: count },
  ),
  policy: object(
    { domain: name, key: name, value: anything },
    { weight: number },
  ),
  notice: object(
    { message: words },
    { level: oneOf('info', 'warning', 'error') },
  ),
  audit: object({ event: name }, { details: record, isSafeForUser: flag }),
  job: object({ id: name, payload: anything }, { idempotencyKey: words }),
  restriction: exactly(
    object(
      {},
      {
        sandbox,
        roots: list(text),
        network,
        timeoutMs: count,
        maxOutputBytes: count,
      },
    ),
  ),
} as const
