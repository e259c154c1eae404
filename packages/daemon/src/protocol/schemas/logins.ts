import { z } from 'zod'
import { rights } from '../routes.ts'
import { callerKind } from './closed-sets.ts'
import { done, id, nothing, time } from './common.ts'

export const logins = {
  createLogin: {
    input: nothing,
    output: z.object({
      /** To be given to `login`, once. */
      code: z.string(),
      expiresAt: time,
      /** Of the pages; absent where the daemon shows none. */
      url: z.string().optional(),
    }),
  },
  login: {
    input: z.strictObject({ code: z.string().min(1).max(200) }),
    output: z.object({
      /** Ends when it is not used for long, by `logout`, or with the daemon. */
      token: z.string(),
      caller: z.object({
        kind: callerKind,
        id,
        rights: z.array(z.enum(rights)),
      }),
    }),
  },
  logout: { input: nothing, output: done },
}
