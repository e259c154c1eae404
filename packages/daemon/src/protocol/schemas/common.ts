import { z } from 'zod'

const maxChars = 200

/** A name that somebody chose or the store made: it reads as it is written. */
export const id = z
  .string()
  .min(1)
  .max(maxChars)
  .regex(
    /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u,
    'It is one line of characters that can be seen',
  )

/** Of something that is made; it may be a part of a path. */
export const newId = id.regex(
  /^(?!\.{1,2}$)[^/\\]*$/,
  'It has no slashes, and is no "." or ".."',
)

/** A model names its calls, as it likes. */
export const callId = z.string().min(1).max(maxChars)

/** Milliseconds since 1970. */
export const time = z.number().int().min(0)

const limit = z.number().int().min(1).max(1_000)

/** Where a page ended, as the daemon said it. */
export const cursor = z.string().min(1).max(500)

export const page = { limit: limit.optional(), after: cursor.optional() }

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    /** To be given as `after` for what follows; absent at the end. */
    next: cursor.optional(),
  })

export const nothing = z.strictObject({})

export const json: z.ZodType<unknown> = z.unknown()

export const jsonObject = z.record(z.string(), z.unknown())

export const done = z.object({ ok: z.literal(true) })

/** What is wrong with a file, and where. */
export const problem = z.object({
  file: z.string().optional(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  code: z.string(),
  message: z.string(),
})
