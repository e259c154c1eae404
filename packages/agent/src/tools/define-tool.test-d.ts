import type { JsonObject, ToolResult } from 'hookline/lifecycle'
import { z } from 'zod'
import { defineTool } from './define-tool.ts'
import type { StandardSchema } from './standard-schema.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false

function isTrue<T extends true>(): T | undefined {
  return undefined
}

const base = {
  name: 'read',
  description: 'Reads a file.',
  safety: 'read_only',
} as const

defineTool({
  ...base,
  input: z.object({ path: z.string(), limit: z.number().default(5) }),
  execute: (args, context) => {
    isTrue<Equal<typeof args, { path: string; limit: number }>>()
    context.progress(args.path)
    // @ts-expect-error the schema has no such key
    return args.missing
  },
})

defineTool({
  ...base,
  input: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  },
  execute: (args) => {
    isTrue<Equal<typeof args, JsonObject>>()
    return args['path']
  },
})

declare const typed: StandardSchema<{ readonly id: number }>
defineTool({
  ...base,
  input: typed,
  jsonSchema: { type: 'object' },
  execute: async ({ id }) => ({ id, half: id / 2 }),
})

const whole: ToolResult = { content: [], isError: true, error: 'tool' }
defineTool({ ...base, input: typed, execute: () => whole })
defineTool({ ...base, input: typed, execute: async () => {} })
defineTool({ ...base, input: typed, execute: 'client' })

// @ts-expect-error only the client is named instead of a function
defineTool({ ...base, input: typed, execute: 'server' })

// @ts-expect-error every tool says the worst that it can do
defineTool({ name: 'a', description: 'b', input: typed, execute: () => 'c' })

// @ts-expect-error a date is no JSON
defineTool({ ...base, input: typed, execute: () => new Date() })

// @ts-expect-error nor is a function
defineTool({ ...base, input: typed, execute: () => ({ run: () => 1 }) })

// @ts-expect-error an input is a schema
defineTool({ ...base, input: () => true, execute: () => 'c' })
