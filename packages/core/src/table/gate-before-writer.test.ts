import { describe, expect, test } from 'vitest'
import { definePoint, type } from '../define/define-point.ts'
import { type Hook, HookError, proceed } from '../engine/index.ts'
import { compileTable, type TableOptions } from './compile-table.ts'

const input = type<object>()
const gated = definePoint('gated', {
  input,
  answers: ['reject', 'transform', 'replace'],
})
const open = definePoint('open', { input, answers: ['transform'] })

function hook(name: string, declared: Partial<Hook> = {}): Hook {
  return { name, on: gated, run: () => proceed, ...declared }
}

const writer = hook('redact', { writes: true, priority: 100 })

/** The error of a table, or `fine`. */
function verdictOn(
  hooks: readonly Hook[],
  options?: TableOptions,
): HookError | 'fine' {
  try {
    compileTable(hooks, options)
    return 'fine'
  } catch (error) {
    if (error instanceof HookError) return error
    throw error
  }
}

test('T19 a gate before a writer is an error that names both and says what to do', () => {
  const gate = hook('guard', { priority: 50 })
  const error = verdictOn([gate, writer])
  expect(error).toMatchObject({
    code: 'gate-before-writer',
    hook: 'guard',
    message:
      'Hook "guard" would judge gated before "redact" changes it; add after: [\'redact\'], gate at a later point, or set beforeWrites: true.',
  })
})

test('T19 a gate after every writer is fine', () => {
  const gate = hook('guard', { priority: 101 })
  expect(verdictOn([gate, writer])).toBe('fine')
  const ordered = hook('guard', { priority: 1, after: ['redact'] })
  expect(verdictOn([ordered, writer])).toBe('fine')
})

test('T19 a gate between two writers judges before the last one', () => {
  const last = hook('trim', { writes: true, priority: 300 })
  const gate = hook('guard', { priority: 200 })
  const error = verdictOn([gate, writer, last])
  expect(error).toMatchObject({ code: 'gate-before-writer', hook: 'guard' })
  expect(Object(error).message).toContain('before "trim" changes it')
})

test('T19 the gate that stands first is named, whichever was registered first', () => {
  const gates = [hook('b', { priority: 2 }), hook('a', { priority: 3 })]
  expect(verdictOn([...gates, writer])).toMatchObject({ hook: 'b' })
  expect(verdictOn([writer, ...gates.reverse()])).toMatchObject({ hook: 'b' })
})

describe('is no error where', () => {
  const gate = hook('guard', { priority: 50 })

  test('the gate says that it knows', () => {
    expect(verdictOn([{ ...gate, beforeWrites: true }, writer])).toBe('fine')
  })

  test('the writer only evaluates', () => {
    expect(verdictOn([gate, { ...writer, mode: 'evaluate' }])).toBe('fine')
  })

  test('the whole table only evaluates', () => {
    expect(verdictOn([gate, writer], { mode: 'evaluate' })).toBe('fine')
  })

  test('nothing can be rejected at the point', () => {
    const hooks = [gate, writer].map((one) => ({ ...one, on: open }))
    expect(verdictOn(hooks)).toBe('fine')
  })

  test('the gate itself writes', () => {
    expect(verdictOn([{ ...gate, writes: true }, writer])).toBe('fine')
  })

  test('the first is an observer, for it sees the final value', () => {
    expect(verdictOn([{ ...gate, execution: 'record' }, writer])).toBe('fine')
  })

  test('the writer, or the gate, is disabled', () => {
    expect(verdictOn([gate, { ...writer, disabled: true }])).toBe('fine')
    expect(verdictOn([{ ...gate, disabled: true }, writer])).toBe('fine')
  })

  test('nobody writes', () => {
    expect(verdictOn([gate, { ...writer, writes: false }])).toBe('fine')
  })
})

test('T19 beforeWrites speaks for one gate and not for the next', () => {
  const knows = hook('a', { priority: 1, beforeWrites: true })
  const gate = hook('b', { priority: 2 })
  expect(verdictOn([knows, gate, writer])).toMatchObject({ hook: 'b' })
})

test('T19 on the way out the higher priority judges first', () => {
  const wayOut = definePoint('way_out', {
    input,
    order: 'descending',
    answers: ['reject', 'transform'],
  })
  const gate = hook('guard', { on: wayOut, priority: 200 })
  const write = hook('redact', { on: wayOut, writes: true, priority: 100 })
  expect(verdictOn([gate, write])).toMatchObject({ hook: 'guard' })
  expect(verdictOn([{ ...gate, priority: 50 }, write])).toBe('fine')
})
