import { expect, test } from 'vitest'
import { anchorRoots, intersectRoots, readRoots } from './roots.ts'

test.each([
  ['/a/./b//c/', '/a/b/c'],
  ['/a/../b', '/b'],
  ['/../..', '/'],
  ['//', '/'],
  ['./a', 'a'],
  ['a/..', '.'],
  ['a/../..', '..'],
  ['../../a/../b', '../../b'],
  ['/a/..b', '/a/..b'],
])('the path %s is %s', (path, normal) => {
  expect(readRoots([path])).toEqual([normal])
})

test.each([
  ['an empty text', ['']],
  ['a NUL', ['/a\0b']],
  ['a number', ['/a', 1]],
  ['more than a path can hold', [`/${'a'.repeat(4_096)}`]],
])('a list with %s is not read', (_, roots) => {
  expect(readRoots(roots)).toBeUndefined()
})

test('a list is sorted, without repeats and without what lies in another', () => {
  const roots = ['/b', '/a/c', '/a', '/b/', '/a/c/d', 'x', '/ab']
  expect(readRoots(roots)).toEqual(['/a', '/ab', '/b', 'x'])
})

test.each([
  [['/a'], ['/a/b'], ['/a/b']],
  [['/a'], ['/ab'], []],
  [['/a'], ['/b'], []],
  [['/'], ['/a', '/b/c'], ['/a', '/b/c']],
  [
    ['/a/b', '/c'],
    ['/a', '/c/d'],
    ['/a/b', '/c/d'],
  ],
  [['.'], ['src'], ['src']],
  [['.'], ['/a'], []],
  [['..'], ['../a'], ['../a']],
  [['.'], ['..'], []],
  [['..'], ['../..'], []],
  [[], ['/'], []],
])('%j and %j have %j in common', (one, other, common) => {
  expect(intersectRoots(one, other)).toEqual(common)
  expect(intersectRoots(other, one)).toEqual(common)
})

test('relative roots are seen from the working folder', () => {
  const roots = ['.', '../docs', '/tmp']
  const seen = ['/repo/docs', '/repo/app', '/tmp'].sort()
  expect(anchorRoots(roots, '/repo/app')).toEqual(seen)
})
