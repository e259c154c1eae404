import { join } from 'node:path'

/** What each hook that ships is measured with, by its name. */
export const exampleOptions: Readonly<
  Record<string, (folder: string) => object>
> = {
  'audit-log': (folder) => ({ file: join(folder, 'audit.jsonl') }),
  budget: () => ({
    session: { tokens: 1e12, cost: 1e9 },
    day: { tokens: 1e12 },
  }),
  'call-limit': () => ({ toolCalls: 1e9, modelCalls: 1e9 }),
  'cost-tracker': () => ({ currency: 'USD' }),
  'loop-detector': () => ({}),
  'rate-limit': () => ({
    rules: [
      { of: 'tools', calls: 1_000_000, perMs: 1 },
      { of: 'models', calls: 1_000_000, perMs: 1, per: 'actor' },
    ],
  }),
  'timeout-budget': () => ({ turnMs: 86_400_000, stepMs: 86_400_000 }),
}
