import { expect, test } from 'vitest'
import { isWithin } from './address-rules.ts'
import { askServer } from './fixtures/ask-server.ts'
import { always, answerTo, startHostile } from './fixtures/hostile-server.ts'
import { endOf, openSender, specFor } from './fixtures/send.ts'
import { guardedLookup } from './guarded-lookup.ts'
import { readTarget } from './read-target.ts'

const proceed = always((seen) => ({ body: answerTo(seen) }))

const inner = [
  ...['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.1'],
  ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '100.127.255.254'],
  ...['0.0.0.0', '0.1.2.3', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  ...['255.255.255.255', '192.0.0.1', '192.0.2.1', '198.18.0.1', '203.0.113.9'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ...['::ffff:10.1.2.3', '::ffff:169.254.169.254', '::ffff:0:0'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1'],
  ...['64:ff9b:1::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0'],
  ...['febf::1', 'fec0::1', 'ff02::1', '2002:7f00:1::1', '2001::1'],
  ...['2001:db8::1', '100::1', '::ffff:0:127.0.0.1', '::ffff:0:a9fe:a9fe'],
  ...['200::1', '1fff::1', '4000::1', '5f00::1', '8000::1', 'e000::1'],
]

const outer = [
  ...['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.0', '172.15.0.1'],
  ...['172.32.0.1', '192.167.255.255', '169.253.1.1', '223.255.255.255'],
  ...['2606:4700:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8'],
  '64:ff9b::808:808',
]

test('T37 every address that is not of the internet is known as such', () => {
  expect(inner.filter((address) => isWithin(address, 'public'))).toEqual([])
  expect(outer.filter((address) => !isWithin(address, 'public'))).toEqual([])
  const none = ['', 'localhost', '0x7f.1', '2130706433', '127.1', '01.2.3.4']
  for (const reach of ['public', 'loopback', 'any'] as const) {
    expect(none.filter((address) => isWithin(address, reach))).toEqual([])
  }
})

test('T37 with allowPrivate, http is for this machine and https for every address', () => {
  const near = inner.filter((address) => isWithin(address, 'loopback'))
  expect(near).toEqual([
    ...['127.0.0.1', '127.255.255.254', '::1'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1'],
  ])
  expect(inner.filter((address) => !isWithin(address, 'any'))).toEqual([])
})

const spellings = [
  ...['127.0.0.1', '127.1', '127.0.1', '0x7f.1', '0x7f000001', '2130706433'],
  ...['0177.0.0.1', '017700000001', '127.0.0.1.', '%31%32%37.0.0.1', '0'],
  ...['①②⑦.⓪.⓪.①', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]'],
  ...['[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]'],
  ...['169.254.169.254', '0xa9fea9fe', '2852039166', '[::ffff:a9fe:a9fe]'],
  ...['[64:ff9b::7f00:1]', '[64:ff9b::169.254.169.254]', '10.1', '[fd00::1]'],
]

test.for(spellings)(
  'T37 an address that is written out as %s is not asked, and nobody looks it up',
  async (host) => {
    let lookups = 0
    const lookup = async () => {
      lookups++
      return [{ address: '127.0.0.1', family: 4 }]
    }
    await using sender = openSender({ lookup })
    const url = `https://${host}:1/`
    const sent = sender.send(specFor(1, { url, allowPrivate: false }))
    expect(await endOf(sent)).toBe('blocked-address')
    expect(lookups).toBe(0)
  },
)

test('T37 an address in an odd spelling is the plain one where it is allowed', async () => {
  await using server = await startHostile(proceed)
  await using sender = openSender()
  for (const host of ['127.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]']) {
    const url = `http://${host}:${server.port}/`
    expect(await endOf(sender.send(specFor(1, { url })))).toBe(200)
  }
})

test.for(inner)(
  'T37 a host with the address %s among others is not asked',
  async (address) => {
    const family = address.includes(':') ? 6 : 4
    const lookup = async () => [
      { address: '8.8.8.8', family: 4 },
      { address, family },
    ]
    await using sender = openSender({ lookup })
    const url = 'https://judge.test:1/'
    const sent = sender.send(specFor(1, { url, allowPrivate: false }))
    expect(await endOf(sent)).toBe('blocked-address')
  },
)

test('T37 a public host is looked up once, and its addresses are handed on as they are', async () => {
  const found = [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]
  let lookups = 0
  const resolve = async () => {
    lookups++
    return found
  }
  const lookup = guardedLookup(resolve, 'public')
  const all = await new Promise((resolved) =>
    lookup('judge.test', { all: true }, (_, list) => resolved(list)),
  )
  expect(all).toEqual(found)
  const one = await new Promise((resolved) =>
    lookup('judge.test', {}, (...answer) => resolved(answer)),
  )
  expect(one).toEqual([null, '8.8.8.8', 4])
  expect(lookups).toBe(2)
})

test.for(['closed', 'open'] as const)(
  'F089 T37 a name that stands for another address the second time is not asked there (%s)',
  async (onFailure) => {
    const found = ['127.0.0.1', '169.254.169.254']
    let lookups = 0
    const lookup = async () => {
      const address = found[lookups++] ?? ''
      return [{ address, family: 4 }]
    }
    const headers = { connection: 'close' }
    await using server = await startHostile(
      always((seen) => ({ headers, body: answerTo(seen) })),
    )
    await using shared = openSender({ lookup })
    const url = `http://judge.test:${server.port}/`
    const handler = { url, allowPrivate: true }
    const ask = () => askServer({ handler, hook: { onFailure }, shared })
    expect((await ask()).record.state).toBe('completed')
    expect(lookups).toBe(1)
    const second = await ask()
    expect(lookups).toBe(2)
    expect(second.diagnostics).toContain('handler.blocked-address')
    expect(second.type).toBe(onFailure === 'open' ? 'proceed' : 'reject')
    expect(server.seen).toHaveLength(1)
  },
)

test('F089 a connection that was opened with allowPrivate is not used without it', async () => {
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  await using server = await startHostile(proceed)
  await using sender = openSender({ lookup })
  const open = readTarget('https://judge.test/', true)
  const shut = readTarget('https://judge.test/')
  expect(open.endpoint).not.toBe(shut.endpoint)
  const url = `http://judge.test:${server.port}/`
  expect(await endOf(sender.send(specFor(1, { url })))).toBe(200)
  const sent = sender.send(specFor(1, { url, allowPrivate: false }))
  expect(await endOf(sent)).toBe('blocked-address')
})

test.for([
  ['http://judge.test/', false, 'http without allowPrivate'],
  ['http://8.8.8.8/', true, 'http to another machine'],
  ['ftp://127.0.0.1/', true, 'another scheme'],
  ['file:///etc/passwd', true, 'a file'],
  ['https://user:canary@judge.test/', false, 'a password in the URL'],
  ['https://canary@judge.test/', false, 'a user in the URL'],
  ['judge.test/canary', false, 'no URL'],
  ['https://judge.test:99999/canary', false, 'no port'],
] as const)('T39 %s (%s) is refused: %s', async ([url, allowPrivate]) => {
  await using sender = openSender()
  const sent = sender.send(specFor(1, { url, allowPrivate }))
  await expect(sent).rejects.toMatchObject({ code: 'blocked-address' })
  await expect(sent).rejects.not.toThrow(/canary/)
})

test('T39 http to a name that is not this machine is refused when it is looked up', async () => {
  const lookup = async () => [{ address: '10.0.0.1', family: 4 }]
  await using sender = openSender({ lookup })
  const sent = sender.send(specFor(1, { url: 'http://judge.test/' }))
  expect(await endOf(sent)).toBe('blocked-address')
})
