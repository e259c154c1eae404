import { expect, test } from 'vitest'
import { judged } from '../fixtures/judged.ts'
import { forbidden, ordinary } from '../shared/shell/fixtures/corpus.ts'
import { defaultDeny } from '../shell-guard/default-rules.ts'
import { toolPolicy } from './tool-policy.ts'
import type { ToolPolicyOptions, ToolRule } from './tool-policy-options.ts'
import { matchUrl } from './url-match.ts'

const call = (tool: string, args: Record<string, string>) => ({ tool, args })
const cwd = import.meta.dirname

const fates = (
  rules: readonly ToolRule[],
  calls: readonly ReturnType<typeof call>[],
  otherwise: ToolPolicyOptions['otherwise'] = 'deny',
) => judged(toolPolicy({ rules, otherwise }), calls, cwd)

test('the first rule that matches decides', async () => {
  const rules: readonly ToolRule[] = [
    { decision: 'deny', tools: ['db_drop*'] },
    { decision: 'ask', tools: ['db_*'], args: { table: 'users' } },
    { decision: 'allow', tools: ['db_*'] },
  ]
  const calls = [
    ...[call('db_dropTable', {}), call('db_read', { table: 'users' })],
    ...[call('db_read', { table: 'notes' }), call('mail_send', {})],
  ]
  expect(await fates(rules, calls)).toEqual(['deny', 'ask', 'allow', 'deny'])
  const asked = await judged(
    toolPolicy({ rules }),
    [calls[3] ?? call('', {})],
    cwd,
  )
  expect(asked).toEqual(['ask'])
})

test.each([undefined, ''])(
  'without a folder of its session (%j) no rule takes that of the process for it',
  async (folder) => {
    const path = { argument: 'path' }
    const fateOf = async (rule: Omit<ToolRule, 'tools'>) => {
      const rules = [{ tools: ['read'], ...rule }]
      const otherwise = rule.decision === 'deny' ? 'allow' : 'ask'
      const policy = toolPolicy({ rules, otherwise })
      const here = call('read', { path: `${process.cwd()}/a` })
      return (await judged(policy, [here], folder))[0]
    }
    const allow = { decision: 'allow' } as const
    const deny = { decision: 'deny' } as const
    expect(await fateOf({ ...allow, path: { ...path, within: ['.'] } })).toBe(
      'ask',
    )
    expect(await fateOf({ ...allow, path: { ...path, outside: ['x'] } })).toBe(
      'ask',
    )
    expect(await fateOf({ ...deny, path: { ...path, within: ['.'] } })).toBe(
      'deny',
    )
    expect(await fateOf({ ...deny, path: { ...path, outside: ['.'] } })).toBe(
      'deny',
    )
    const both = { ...path, within: ['/', '.'], outside: ['/nowhere'] }
    expect(await fateOf({ ...allow, path: both })).toBe('allow')
  },
)

const commands = (texts: readonly string[]) =>
  texts.map((command) => call('shell', { command }))

test('T21 no forbidden command passes a rule that denies, however disguised', async () => {
  const rules: readonly ToolRule[] = [
    { decision: 'deny', tools: ['shell'], command: { is: defaultDeny } },
  ]
  const judge = async (texts: readonly string[]) => {
    const all: string[] = []
    for (let at = 0; at < texts.length; at += 50) {
      const some = commands(texts.slice(at, at + 50))
      all.push(...(await fates(rules, some, 'allow')))
    }
    return all
  }
  const bad = await judge(forbidden)
  expect(forbidden.filter((_, at) => bad[at] === 'allow')).toEqual([])
  const good = await judge(ordinary)
  const alarms = good.filter((one) => one !== 'allow').length
  process.stdout.write(
    `tool-policy: ${forbidden.length} forbidden commands, 0 passed; ${ordinary.length} ordinary ones, ${alarms} false alarms\n`,
  )
  expect(alarms / ordinary.length).toBeLessThan(0.02)
})

test('a command is allowed only if all that it runs is', async () => {
  const rules: readonly ToolRule[] = [
    {
      decision: 'allow',
      tools: ['shell'],
      command: { is: ['npm test', 'git log *'] },
    },
  ]
  const texts = ['npm test', 'npm test; id', 'git log $(id)', "git log 'x"]
  expect(await fates(rules, commands(texts), 'ask')).toEqual([
    ...['allow', 'ask', 'ask', 'ask'],
  ])
})

test('paths are judged by where they lead', async () => {
  const path = { argument: 'path' }
  const rules: readonly ToolRule[] = [
    { decision: 'deny', path: { ...path, is: ['*.secret', '.env'] } },
    { decision: 'deny', path: { ...path, outside: ['..'] } },
    { decision: 'allow', path: { ...path, within: ['.'] } },
  ]
  const paths = ['a.ts', '../x.ts', '../../x.ts', './a/../.env', 'b.SECRET', '']
  const calls = paths.map((one) => call('read', { path: one }))
  expect(await fates(rules, calls, 'ask')).toEqual([
    ...['allow', 'ask', 'deny', 'deny', 'deny', 'deny'],
  ])
})

test('addresses are judged by where they lead', async () => {
  const rules: readonly ToolRule[] = [
    { decision: 'deny', url: { argument: 'url', isPrivate: true } },
    {
      decision: 'allow',
      url: { argument: 'url', schemes: ['https'], hosts: ['example.com'] },
    },
  ]
  const urls = [
    ...[
      'https://example.com/x',
      'https://api.example.com',
      'http://example.com',
    ],
    ...['https://example.com@evil.org', 'https://evil.org/example.com'],
    ...['https://example.com.evil.org', 'http://127.0.0.1', 'not an address'],
  ]
  const calls = urls.map((url) => call('fetch', { url }))
  expect(await fates(rules, calls, 'ask')).toEqual([
    ...['allow', 'allow', 'ask', 'ask', 'ask', 'ask', 'deny', 'deny'],
  ])
})

const isPrivate = { argument: 'url', isPrivate: true }

test.each([
  ...[
    'http://127.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
  ],
  ...['http://[::1]', 'http://[::ffff:127.0.0.1]', 'http://[::ffff:7f00:1]'],
  ...[
    'http://localhost',
    'http://localhost.',
    'http://LOCALHOST:80',
    'http://0',
  ],
  ...['http://169.254.169.254/latest', 'http://10.1.2.3', 'http://192.168.0.1'],
  ...[
    'http://172.16.0.1',
    'http://100.64.0.1',
    'http://[fd00::1]',
    'http://[fe80::1]',
  ],
  ...[
    'http://metadata.google.internal',
    'http://x.local',
    'http://１２７.0.0.1',
  ],
  ...['http://[2002:7f00:1::]', 'http://[2002:a00:1::1]', 'http://[fec0::1]'],
  ...['http://[64:ff9b:1::7f00:1]', 'http://[::127.0.0.1]', 'http://[::]'],
  ...['http://[::ffff:0:127.0.0.1]', 'http://localhost.localdomain'],
  ...['http://kubernetes.default.svc', 'http://router.home', 'http://x.corp'],
  ...['http://[64:ff9b::7f00:1]', 'ftp://127.0.0.1', 'ssh://2130706433'],
  ...['http://[::ffff:0.0.0.0]', 'http://[::ffff:0:0]', 'http://[::]:80'],
  ...['http://[::ffff:0.0.0.1]', 'http://[::ffff:0:0:0]', 'http://[::2]'],
  ...['http://[64:ff9b::]', 'http://[64:ff9b:1:a9fe:a9:fe00:808:808]'],
  ...['http://[2001::1]', 'http://[2001:0:7f00:1::]', 'http://[2001:1ff::]'],
  ...['http://[2001:db8::1]', 'http://[3fff:1::]', 'http://[1::1]'],
  ...['http://[4000::1]', 'http://[8000::1]', 'http://[64:ff9b:0:1::]'],
  ...['http://127.0.0.1.', 'http://127.0.0.1..', 'http://017700000001'],
  ...['http://0x7f000001', 'http://①②⑦.⓪.⓪.①', 'ssh://[::ffff:0.0.0.0]'],
  ...['http://localhost6.localdomain6', 'http://203.0.113.9'],
])('%s leads to no public place', (url) => {
  expect(matchUrl(url, isPrivate)).toBe('yes')
})

test.each([
  ...[
    'http://a b',
    'http:\\\\127.0.0.1',
    'http://a@b@c',
    '//x',
    'x',
    '',
    'http://',
  ],
  ...['http://a\tb', 'http://exa%6dple.com', 'http://[::1', 'javascript:x'],
  ...['http://[fe80::1%25eth0]', 'http://[::1%lo]', 'http://[::1].'],
])('of %j nobody can tell where it leads', (url) => {
  expect(matchUrl(url, isPrivate)).toBe('maybe')
  expect(matchUrl(7, isPrivate)).toBe('maybe')
})

test('hosts are the same in every alphabet, ports also where none is written', () => {
  const at = { argument: 'url' }
  const hosts = ['münchen.example']
  const url = 'https://xn--mnchen-3ya.example'
  expect(matchUrl(url, { ...at, hosts })).toBe('yes')
  expect(matchUrl('https://a.example', { ...at, ports: [443] })).toBe('yes')
  expect(matchUrl('https://a.example:444', { ...at, ports: [443] })).toBe('no')
  expect(matchUrl('https://u:p@a.example', { ...at, hasUser: true })).toBe(
    'yes',
  )
  const wide = ['8.8.8.8', '[2606:4700::1111]', '[2002:808:808::1]']
  const others = ['[2001:200::1]', '[2001:4860:4860::8888]', '[3ffe::1]']
  const inFour = ['[::ffff:8.8.8.8]', '[64:ff9b::808:808]', '203.0.112.9']
  for (const host of [...wide, ...others, ...inFour]) {
    expect(matchUrl(`http://${host}`, isPrivate)).toBe('no')
  }
})

test.each([
  [{ rules: [{ decision: 'permit' }] }, 'decision'],
  [{ rules: [{ decision: 'deny', path: {} }] }, 'argument'],
  [{ rules: [{ decision: 'deny', command: { is: [] } }] }, 'is'],
  [{ rules: [{ decision: 'deny', command: { is: ['a {b}'] } }] }, '{b}'],
  [{ otherwise: 'maybe' }, 'otherwise'],
  ...['*', 'https://a.example', 'a.example:80', 'a b', '.a.example', 'a@b'].map(
    (host): [object, string] => {
      const url = { argument: 'url', hosts: [host] }
      return [{ rules: [{ decision: 'deny', url }] }, 'no host']
    },
  ),
  [
    {
      rules: [{ decision: 'deny', url: { argument: 'u', schemes: ['ftp:'] } }],
    },
    'schemes',
  ],
  [
    { rules: [{ decision: 'deny', url: { argument: 'u', ports: [] } }] },
    'ports',
  ],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => toolPolicy(options as unknown as ToolPolicyOptions)).toThrow(
    word,
  )
})
