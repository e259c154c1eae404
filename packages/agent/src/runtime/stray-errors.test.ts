import { describe, expect, test } from 'vitest'
import { createRuntime } from '../index.ts'
import { runProgram } from './fixtures/run-program.ts'
import { containStrayErrors } from './stray-errors.ts'

/** A program whose one hook does this, and that waits until it was contained. */
function leaving(body: string, onFailure = 'closed'): string {
  return `
    const stray = Promise.withResolvers()
    const stage = await openStrayStage(() => { ${body} }, '${onFailure}')
    containStrayErrors(stage.runtime, { onStray: stray.resolve })
    const ended = await stage.turn()
    const { hook, point, run, error } = await stray.promise
    const { notes, alarms, told, records } = stage
    const of = notes.map(({ dispatch, hook, settled }) =>
      [dispatch + '/' + hook === run, settled])
    tell({ ended, hook, point, error: error?.message ?? error, of, alarms, told,
      states: records.filter((one) => one.hook === 'leaves').map((one) =>
        [one.state, one.failure?.code, one.failedOpen]) })`
}

const contained = {
  ended: 'succeeded',
  hook: 'leaves',
  point: 'turn.pre_turn',
  error: 'lost',
  of: [[true, 'threw']],
  alarms: ['late leaves'],
  told: ['leaves: stray-error threw lost'],
  states: [['completed', null, false]],
}

describe('F011 a promise that a hook left behind', () => {
  test.each(['open', 'closed'])(
    'rejects after the answer of an %s hook: it is attached to the run, and the process lives',
    async (onFailure) => {
      const body = `setTimeout(() => Promise.reject(new Error('lost')), 20)`
      const { code, told } = await runProgram(leaving(body, onFailure))
      expect({ code, told }).toEqual({ code: 0, told: [contained] })
    },
  )

  test('rejects before the answer of a closed hook is used: it rejects with threw', async () => {
    const body = `void Promise.reject(new Error('lost')); return stray.promise`
    const { code, told } = await runProgram(leaving(body))
    expect({ code, told }).toMatchObject({
      code: 0,
      told: [
        {
          ended: 'rejected: hook_error:threw',
          error: 'lost',
          of: [],
          states: [['failed', 'threw', false]],
        },
      ],
    })
  })

  test('rejects before the answer of an open hook is used: the turn goes on', async () => {
    const body = `void Promise.reject(new Error('lost')); return stray.promise`
    const { code, told } = await runProgram(leaving(body, 'open'))
    expect({ code, told }).toMatchObject({
      code: 0,
      told: [
        {
          ended: 'succeeded',
          of: [],
          states: [['failed', 'threw', true]],
        },
      ],
    })
  })

  test('rejects with something that is no error', async () => {
    const body = `setTimeout(() => Promise.reject('a word'), 20)`
    const { code, told } = await runProgram(leaving(body))
    expect({ code, told }).toMatchObject({
      code: 0,
      told: [{ ended: 'succeeded', error: 'a word', of: [[true, 'threw']] }],
    })
  })
})

describe('F012 what a hook throws later', () => {
  const bodies = {
    'a timer': `setTimeout(() => { throw new Error('lost') }, 20)`,
    'an immediate': `setImmediate(() => setImmediate(() => { throw new Error('lost') }))`,
    'an I/O callback': `process.getBuiltinModule('fs').readFile('package.json', () => {
      setTimeout(() => { throw new Error('lost') }, 20)
    })`,
    'a listener of an emitter it made': `
      const emitter = new (process.getBuiltinModule('events'))()
      emitter.on('end', () => { throw new Error('lost') })
      setTimeout(() => emitter.emit('end'), 20)`,
    'an emitter without a listener for errors': `
      const emitter = new (process.getBuiltinModule('events'))()
      setTimeout(() => emitter.emit('error', new Error('lost')), 20)`,
  }

  test.each(Object.entries(bodies))(
    'from %s is attached to the run, and the process lives',
    async (_, body) => {
      const { code, told } = await runProgram(leaving(body))
      expect({ code, told }).toEqual({ code: 0, told: [contained] })
    },
  )
})

test('without being told otherwise, a stray error is a warning that names its hook', async () => {
  const { code, errors } = await runProgram(`
    const stage = await openStrayStage(() => {
      setTimeout(() => { throw new Error('lost') }, 20)
    })
    containStrayErrors(stage.runtime)
    await stage.turn()`)
  expect(code).toBe(0)
  expect(errors).toMatch(
    /\[HOOKLINE_STRAY_ERROR\] Warning: Hook "leaves" on turn\.pre_turn left an error behind in the run \S+\/leaves\.\nError: lost/,
  )
})

describe('an error that no hook left behind', () => {
  test.each([
    `setTimeout(() => { throw new Error('own') }, 1)`,
    `void Promise.reject(new Error('own'))`,
  ])('ends the process as ever: %s', async (fault) => {
    const { code, told, errors } = await runProgram(`
      const stage = await openStrayStage(() => {})
      containStrayErrors(stage.runtime)
      await stage.turn()
      process.on('exit', (code) => tell({ code }))
      setTimeout(() => tell('alive'), 500)
      ${fault}`)
    expect({ code, told }).toEqual({ code: 1, told: [{ code: 1 }] })
    expect(errors).toContain('Error: own')
  })

  test('is left to whoever else listens', async () => {
    const { code, told } = await runProgram(`
      const stage = await openStrayStage(() => {})
      containStrayErrors(stage.runtime)
      await stage.turn()
      process.on('uncaughtException', ({ message }) => tell({ message }))
      process.on('unhandledRejection', ({ message }) => tell({ message }))
      setTimeout(() => { throw new Error('one') }, 1)
      setTimeout(() => void Promise.reject(new Error('two')), 20)`)
    expect({ code, told }).toEqual({
      code: 0,
      told: [{ message: 'one' }, { message: 'two' }],
    })
  })

  test('ends the process although two runtimes contain theirs', async () => {
    const { code, told } = await runProgram(`
      const stages = [await openStrayStage(() => {}), await openStrayStage(() => {})]
      for (const { runtime } of stages) containStrayErrors(runtime)
      setTimeout(() => tell('alive'), 500)
      setTimeout(() => { throw new Error('own') }, 1)`)
    expect({ code, told }).toEqual({ code: 1, told: [] })
  })
})

test.each([`new Error('lost')`, `'lost'`, 'undefined'])(
  'whoever listened before can ask whether it was contained: %s',
  async (thrown) => {
    const { code, told } = await runProgram(`
      const events = ['uncaughtException', 'unhandledRejection']
      for (const event of events)
        process.on(event, (error) => tell([event, isContainedError(error)]))
      const fault = () => {
        setTimeout(() => { throw ${thrown} }, 1)
        setTimeout(() => Promise.reject(${thrown}), 20)
      }
      const stage = await openStrayStage(fault)
      const undo = containStrayErrors(stage.runtime)
      await stage.turn()
      setTimeout(() => { throw ${thrown} }, 40)
      setTimeout(() => Promise.reject(${thrown}), 60)
      setTimeout(undo, 80)`)
    expect({ code, told }).toEqual({
      code: 0,
      told: [
        ['uncaughtException', true],
        ['unhandledRejection', true],
        ['uncaughtException', false],
        ['unhandledRejection', false],
      ],
    })
  },
)

test('the error of a hook whose runtime contains nothing ends the process', async () => {
  const { code, errors } = await runProgram(`
    const fault = () => { setTimeout(() => { throw new Error('lost') }, 20) }
    const other = await openStrayStage(() => {})
    const stage = await openStrayStage(fault)
    containStrayErrors(other.runtime)
    await stage.turn()
    setTimeout(() => tell('alive'), 500)`)
  expect(code).toBe(1)
  expect(errors).toContain('Error: lost')
})

test('each of two runtimes hears of its own', async () => {
  const { code, told } = await runProgram(`
    const fault = () => { setTimeout(() => { throw new Error('lost') }, 20) }
    for (const name of ['one', 'two']) {
      const stage = await openStrayStage(fault)
      const stray = Promise.withResolvers()
      containStrayErrors(stage.runtime, { onStray: () => stray.resolve() })
      await stage.turn()
      await stray.promise
      tell({ name, notes: stage.notes.length })
    }`)
  expect({ code, told }).toEqual({
    code: 0,
    told: [
      { name: 'one', notes: 1 },
      { name: 'two', notes: 1 },
    ],
  })
})

test('what was undone leaves no listener behind, and contains nothing', async () => {
  const { code, told, errors } = await runProgram(`
    const stage = await openStrayStage(() => {
      setTimeout(() => { throw new Error('lost') }, 20)
    })
    const events = ['uncaughtException', 'unhandledRejection']
    const count = () => events.map((name) => process.listenerCount(name))
    const before = count()
    const undo = containStrayErrors(stage.runtime)
    undo()
    undo()
    tell({ before, after: count() })
    await stage.turn()
    setTimeout(() => tell('alive'), 500)`)
  expect({ code, told }).toEqual({
    code: 1,
    told: [{ before: [0, 0], after: [0, 0] }],
  })
  expect(errors).toContain('Error: lost')
})

test('a runtime that cannot tell whose error it is has to be given a scope', () => {
  expect(() => containStrayErrors(createRuntime())).toThrow(
    expect.objectContaining({ code: 'invalid-config' }),
  )
})
