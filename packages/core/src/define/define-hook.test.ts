import { expect, test } from 'vitest'
import { proceed } from '../engine/index.ts'
import { deadline, defineHook } from './define-hook.ts'
import { definePoint, type } from './define-point.ts'

const point = definePoint('p', { input: type<object>() })

test('a hook is what was given, frozen', () => {
  const given = { name: 'h', on: point, run: () => proceed }
  const hook = defineHook(given)
  expect(hook).toBe(given)
  expect(Object.isFrozen(hook)).toBe(true)
})

test('a deadline is a second, unless it says otherwise', () => {
  expect(deadline()).toEqual({ deadlineMs: 1_000 })
  expect(deadline(250)).toEqual({ deadlineMs: 250 })
})
