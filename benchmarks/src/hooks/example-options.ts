import { join } from 'node:path'

/** What each hook that ships is measured with, by its name. */
export const exampleOptions: Readonly<
  Record<string, (folder: string) => object>
> = {
  approval: () => ({ rules: [{ tools: ['pay'] }] }),
  'args-rewrite': () => ({
    rules: [{ tools: ['*'], at: 'region', default: 'eu' }],
  }),
  'audit-log': (folder) => ({ file: join(folder, 'audit.jsonl') }),
  budget: () => ({
    session: { tokens: 1e12, cost: 1e9 },
    day: { tokens: 1e12 },
  }),
  'call-limit': () => ({ toolCalls: 1e9, modelCalls: 1e9 }),
  canary: () => ({}),
  cedar: () => ({ policies: 'permit(principal, action, resource);' }),
  'circuit-breaker': () => ({ tools: ['*'] }),
  'compaction-hint': () => ({ keep: ['What the user wants.'] }),
  'context-editor': () => ({ windowTokens: 200_000 }),
  'cost-tracker': () => ({ currency: 'USD' }),
  'dangling-repair': () => ({}),
  'injection-scan': () => ({}),
  'input-guardrail': () => ({
    patterns: { card: '\\b\\d{16}\\b' },
    words: ['falcon'],
  }),
  'loop-detector': () => ({}),
  notify: () => ({ about: ['error'], desktop: true }),
  otel: () => ({}),
  'output-guardrail': () => ({
    patterns: { card: '\\b\\d{16}\\b' },
    words: ['falcon'],
  }),
  'path-guard': () => ({ roots: ['.'] }),
  'pii-redact': () => ({}),
  'provider-fallback': () => ({ models: [{ model: 'other/small' }] }),
  'rate-limit': () => ({
    rules: [
      { of: 'tools', calls: 1_000_000, perMs: 1 },
      { of: 'models', calls: 1_000_000, perMs: 1, per: 'actor' },
    ],
  }),
  retry: () => ({}),
  'secret-scan': () => ({}),
  'shell-guard': () => ({}),
  'stop-judge': () => ({ model: 'judge', rubric: 'It is done.' }),
  'timeout-budget': () => ({ turnMs: 86_400_000, stepMs: 86_400_000 }),
  todo: () => ({}),
  'tool-policy': () => ({
    rules: [{ tools: ['read'], effect: 'allow' }],
    otherwise: 'allow',
  }),
}
