import { expect, test } from 'vitest'
import { buildEnv, steersCode } from './build-env.ts'

const source = {
  PATH: '/bin',
  HOME: '/home/me',
  LANG: 'C.UTF-8',
  LC_ALL: 'C',
  TZ: 'UTC',
  TERM: 'dumb',
  ANTHROPIC_API_KEY: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  GITHUB_TOKEN: 'granted',
  LD_PRELOAD: '/tmp/evil.so',
  NODE_OPTIONS: '--require /tmp/evil.js',
  BASH_ENV: '/tmp/evil.sh',
  ENV: '/tmp/evil.sh',
  PYTHONPATH: '/tmp',
  GIT_SSH_COMMAND: 'evil',
  PERL5LIB: '/tmp',
  RUBYOPT: '-r/tmp/evil',
  DYLD_INSERT_LIBRARIES: '/tmp/evil',
  'BASH_FUNC_ls%%': '() { evil; }',
  EMPTY: undefined,
}

const harmless = {
  PATH: '/bin',
  HOME: '/home/me',
  LANG: 'C.UTF-8',
  LC_ALL: 'C',
  TZ: 'UTC',
  TERM: 'dumb',
}

test('T30 a command gets what is harmless, and of the rest nothing', () => {
  expect(buildEnv(source)).toEqual({ env: harmless, dropped: [] })
})

test('T30 what is granted by name passes, except what steers code', () => {
  const names = ['GITHUB_TOKEN', 'LD_PRELOAD', 'GIT_SSH_COMMAND', 'NOT_SET']
  const { env, dropped } = buildEnv(source, { names })
  expect(env).toEqual({ ...harmless, GITHUB_TOKEN: 'granted' })
  expect(dropped).toEqual(['LD_PRELOAD', 'GIT_SSH_COMMAND'])
})

test('T30 what steers code passes only if a trusted layer sets it', () => {
  const setEnv = { PYTHONUNBUFFERED: '1', MODE: 'strict' }
  const untrusted = buildEnv({}, { setEnv })
  expect(untrusted.env).toEqual({ MODE: 'strict' })
  expect(untrusted.dropped).toEqual(['PYTHONUNBUFFERED'])
  const trusted = buildEnv({}, { setEnv, isTrusted: true })
  expect(trusted).toEqual({ env: setEnv, dropped: [] })
  const granted = buildEnv(source, { names: ['ENV'], isTrusted: true })
  expect(granted).toEqual({ env: harmless, dropped: ['ENV'] })
})

test('T30 every variable that steers code is known as such, in any case', () => {
  const steering = Object.keys(source).slice(9, -1)
  for (const name of steering)
    expect([name, steersCode(name)]).toEqual([name, true])
  expect(steersCode('ld_preload')).toBe(true)
  for (const name of ['PATH', 'ENVIRONMENT', 'MY_ENV', 'GITHUB_TOKEN']) {
    expect([name, steersCode(name)]).toEqual([name, false])
  }
})

test('nobody sets the tag of a run', () => {
  const setEnv = { HOOKLINE_RUN: 'mine' }
  const { env, dropped } = buildEnv({}, { setEnv, isTrusted: true })
  expect(env).toEqual({})
  expect(dropped).toEqual(['HOOKLINE_RUN'])
})
