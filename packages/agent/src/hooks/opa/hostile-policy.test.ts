import { gunzipSync, gzipSync } from 'node:zlib'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { opaBundle, opaModule } from './fixtures/opa-module.ts'
import { filesOf, playOpa } from './fixtures/play-opa.ts'
import { opa } from './opa.ts'

const { fileOf } = filesOf('opa-hostile')

const loop = '(loop $for_ever (br $for_ever)) (unreachable)'
const onSecret = (body: string) => `
  (if (call $has (local.get $input) (i32.add (local.get $input) (local.get $length)))
    (then ${body}))
  (i32.const 2048)`

test('a policy that never ends is ended in time, and holds up nobody', async () => {
  const evaluate = onSecret('(loop $for_ever (br $for_ever))')
  const policy = fileOf(opaModule({ evaluate }))
  let ticks = 0
  const ticking = setInterval(() => ticks++, 10)
  const calls = [{ at: 1 }, { at: 'secret' }, { at: 3 }]
  const { statuses, failures } = await playOpa(
    { policy, timeoutMs: 3_000 },
    calls,
  )
  clearInterval(ticking)
  expect(statuses).toEqual(['denied', 'executed', 'executed'])
  expect(failures).toEqual(['The policy took longer than 3000 ms.'])
  expect(ticks).toBeGreaterThan(5)
})

test('its time is that of the runtime', async () => {
  const clock = createFakeClock()
  const policy = fileOf(opaModule({ evaluate: loop }))
  const playing = playOpa({ policy, timeoutMs: 60_000 }, [{}], { clock })
  let isDone = false
  const done = playing.finally(() => {
    isDone = true
  })
  // The thread and the loop around it run in their own time.
  while (!isDone) {
    await clock.advance(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await done).statuses).toEqual(['denied'])
})

test.each([
  ['traps', '(unreachable)', 'unreachable'],
  ['reads outside of its memory', '(i32.load (i32.const -8))', 'out of bounds'],
  [
    'aborts without end',
    `(memory.fill (i32.const 16384) (i32.const 65) (i32.const 49152))
    (call $abort (i32.const 16384)) (i32.const 2048)`,
    'too long',
  ],
  ['aborts', '(call $abort (i32.const 8192)) (i32.const 2048)', 'secret'],
  ['calls itself without end', '(call $deep)', 'call stack'],
  [
    'needs a built-in function that nobody has',
    '(call $builtin1 (i32.const 7) (i32.const 0) (i32.const 2048))',
    'not implemented: built-in function 7: http.send',
  ],
  ['answers with what is no JSON', '(i32.const 8192)', 'JSON'],
  ['answers with what is no list', '(i32.const 1024)', 'no result'],
  ['answers from outside of its memory', '(i32.const 2147483632)', 'too long'],
])('a call is denied by a policy that %s', async (_, evaluate, why) => {
  const policy = fileOf(
    opaModule({
      ...{ evaluate, builtins: '{"http.send":7}' },
      further: '(func $deep (result i32) (i32.add (call $deep) (i32.const 1)))',
    }),
  )
  const { statuses, failures } = await playOpa({ policy })
  expect(statuses).toEqual(['denied'])
  expect(failures).toEqual([expect.stringContaining(why)])
})

test('what broke off once is opened anew for the next call', async () => {
  // It counts in its memory, and traps the second time.
  const evaluate = onSecret(`
    (i32.store (i32.const 12288) (i32.const 1)) (unreachable)`).replace(
    '(i32.const 2048)',
    '(if (i32.load (i32.const 12288)) (then (unreachable))) (i32.const 2048)',
  )
  const policy = fileOf(opaModule({ evaluate }))
  const calls = [{ at: 'secret' }, { at: 2 }, { at: 3 }]
  const { statuses } = await playOpa({ policy }, calls)
  expect(statuses).toEqual(['denied', 'executed', 'executed'])
})

test('its memory is bounded', async () => {
  const evaluate = `
    (if (i32.eq (memory.grow (i32.const 1)) (i32.const -1))
      (then (return (i32.const 2048))))
    (i32.const 4096)`
  const policy = fileOf(opaModule({ evaluate }))
  const { statuses } = await playOpa({ policy, maxMemoryMb: 2 })
  expect(statuses).toEqual(['executed'])
  const large = fileOf(
    opaModule({ memory: '(import "env" "memory" (memory 33))' }),
  )
  expect(() => opa({ policy: large, maxMemoryMb: 2 })).toThrow('memory')
})

test('what a call says is too much for a small memory: it is denied', async () => {
  const policy = fileOf(opaModule())
  const calls = [{ text: 'x'.repeat(2_000_000) }]
  const { statuses, failures } = await playOpa(
    { policy, maxMemoryMb: 1 },
    calls,
  )
  expect(statuses).toEqual(['denied'])
  expect(failures).toEqual([expect.stringContaining('could not be evaluated')])
})

test('an answer that is too long is none', async () => {
  const policy = fileOf(
    opaModule({
      memory: '(import "env" "memory" (memory 4))',
      evaluate: `
        (memory.fill (i32.const 16384) (i32.const 0x31) (i32.const 100000))
        (i32.store8 (i32.const 116384) (i32.const 0))
        (i32.store16 (i32.const 16384) (i32.const 0x225b))
        (i32.store16 (i32.const 116382) (i32.const 0x5d22))
        (i32.const 16384)`,
    }),
  )
  const { statuses, failures } = await playOpa({ policy })
  expect(statuses).toEqual(['denied'])
  expect(failures).toEqual([expect.stringContaining('too long')])
})

test('a built-in function cannot make more of a little than there is room for', async () => {
  const policy = fileOf(
    opaModule({
      builtins: '{"sprintf":0}',
      further: `(data (i32.const 12288) "\\"%400000000d\\"\\00[1]\\00")`,
      evaluate: `(drop (call $builtin2
        (i32.const 0) (i32.const 0) (i32.const 12288) (i32.const 12302)))
        (i32.const 2048)`,
    }),
  )
  const { statuses, failures } = await playOpa({ policy })
  expect(statuses).toEqual(['denied'])
  expect(failures).toEqual([expect.stringContaining('too much')])
})

test('what it prints goes nowhere', async () => {
  const evaluate = `(local $i i32)
    (loop $again
      (call $print (i32.const 8192))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $i) (i32.const 10000))))
    (i32.const 2048)`
  const { statuses } = await playOpa({
    policy: fileOf(opaModule({ evaluate })),
  })
  expect(statuses).toEqual(['executed'])
})

const unusable: readonly (readonly [string, Uint8Array, string])[] = [
  ['no WebAssembly', Buffer.from('package tools'), 'no WebAssembly'],
  ['nothing', Buffer.alloc(0), 'no WebAssembly'],
  ['half of a module', opaModule().subarray(0, 300), 'no WebAssembly'],
  [
    'a module that is none of OPA',
    Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]),
    'no policy of OPA',
  ],
  ['memory of its own', opaModule({ memory: '(memory 1)' }), 'of its own'],
  ...[
    '(table 10000000 10000000 funcref)',
    '(table 1 funcref)',
    '(table 1 1 externref)',
    '(table 1 1 funcref) (table 1 1 funcref)',
  ].map((further) => [further, opaModule({ further }), 'tables'] as const),
  ...[
    '(func (param externref))',
    '(func (result funcref) (ref.null func))',
  ].map((further) => [further, opaModule({ further }), 'types'] as const),
  [
    'an exception',
    opaModule({ further: '(tag (param i32))' }),
    'unknown to OPA',
  ],
  [
    'an import that nobody has',
    opaModule({
      memory: `(import "env" "memory" (memory 1))
        (import "env" "exec" (func (param i32)))`,
    }),
    'cannot be used',
  ],
  ['no entrypoint', opaModule({ entrypoints: '{}' }), 'entrypoint'],
  ['entrypoints that are none', opaModule({ entrypoints: '[' }), 'JSON'],
  [
    'a start that never ends',
    opaModule({
      further: `(func $start (loop $for_ever (br $for_ever))) (start $start)`,
    }),
    'too long to open',
  ],
  [
    'half of an archive',
    opaBundle({ a: Buffer.alloc(99) }).subarray(0, 40),
    'unpacked',
  ],
  ['an archive of nothing', gzipSync(''), 'no policy.wasm'],
  ['an archive that is none', gzipSync('x'.repeat(600)), 'no archive'],
  [
    'an archive without a policy',
    opaBundle({ '/a.rego': Buffer.from('a') }),
    'no policy.wasm',
  ],
  [
    'an archive with two policies',
    opaBundle({ '/policy.wasm': opaModule(), './policy.wasm': opaModule() }),
    'a file twice',
  ],
  [
    'an archive that ends too early',
    gzipSync(
      gunzipSync(opaBundle({ '/policy.wasm': opaModule() })).subarray(0, 522),
    ),
    'cut off',
  ],
]

test.each(unusable)(
  'a file with %s is refused before any call',
  (_, bytes, why) => {
    expect(() => opa({ policy: fileOf(bytes) })).toThrow(why)
  },
)

test('an archive that unpacks without end is refused', () => {
  const bomb = gzipSync(Buffer.alloc(129 * 1_048_576))
  expect(() => opa({ policy: fileOf(bomb) })).toThrow('unpacked')
})
