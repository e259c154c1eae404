import { describe, expect, test } from 'vitest'
import { filesInUse, inTurn } from './file-turns.ts'

describe('a turn at a file', () => {
  test('comes when all who came before are done, however they ended', async () => {
    const done: string[] = []
    const first = inTurn('a', async () => {
      await Promise.resolve()
      done.push('first')
      throw new Error('It failed.')
    })
    const second = inTurn('a', async () => done.push('second'))
    await expect(first).rejects.toThrow('It failed.')
    await second
    expect(done).toEqual(['first', 'second'])
    await expect.poll(filesInUse).toBe(0)
  })

  test('is given up by whoever is cancelled, and nobody passes those before it', async () => {
    const cancelled = new AbortController()
    let end = () => {}
    const done: string[] = []
    const first = inTurn('a', async () => {
      await new Promise<void>((resolve) => {
        end = resolve
      })
      done.push('first')
    })
    const { signal } = cancelled
    const never = async () => done.push('second')
    const second = inTurn('a', never, { signal })
    const third = inTurn('a', async () => {
      done.push('third')
    })
    cancelled.abort(new Error('Enough.'))
    await expect(second).rejects.toThrow('Enough.')
    expect(done).toEqual([])
    end()
    await Promise.all([first, third])
    expect(done).toEqual(['first', 'third'])
    await expect.poll(filesInUse).toBe(0)
  })
})
