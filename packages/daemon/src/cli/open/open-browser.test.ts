import { expect, test } from 'vitest'
import { inspectorLink } from './inspector-link.ts'
import { browserCommand, openBrowser } from './open-browser.ts'

test('a link holds its code where no server sees it', () => {
  const link = inspectorLink(
    'http://127.0.0.1:4665',
    'hkl_login_x',
    '/runs?a=b',
  )
  expect(link).toBe('http://127.0.0.1:4665/runs?a=b#code=hkl_login_x')
  expect(inspectorLink('https://box.example/', 'c')).toBe(
    'https://box.example/#code=c',
  )
})

test('a browser is opened where there is a desktop', () => {
  const linux = { platform: 'linux' } as const
  expect(browserCommand({ ...linux, env: {} })).toBeUndefined()
  const env = { DISPLAY: ':0' }
  expect(browserCommand({ ...linux, env })).toEqual(['xdg-open'])
  expect(browserCommand({ platform: 'darwin', env: {} })).toEqual(['open'])
})

test('without a desktop, or its program, nothing is opened, and it says so', async () => {
  const link = 'http://127.0.0.1:1/'
  const nowhere = { platform: 'linux', env: {} } as const
  expect(await openBrowser(link, nowhere)).toBe(false)
})
