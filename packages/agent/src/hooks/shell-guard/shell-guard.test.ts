import { expect, test } from 'vitest'
import { createMemoryApprovals } from '../../index.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { forbidden, ordinary } from '../shared/shell/fixtures/corpus.ts'
import { defaultDeny } from './default-rules.ts'
import { commandJudge } from './judge-command.ts'
import { type ShellGuardOptions, shellGuard } from './shell-guard.ts'

const judge = commandJudge({
  ...{ deny: defaultDeny, ask: [], allow: [] },
  ...{ unknown: 'ask', otherwise: 'allow' },
})

const count = (decisions: readonly string[], decision: string) =>
  decisions.filter((one) => one === decision).length

test('T21 no forbidden command passes, however it is disguised', () => {
  const passed = forbidden.filter((one) => judge(one).decision === 'allow')
  expect(passed).toEqual([])
  const decisions = forbidden.map((one) => judge(one).decision)
  const [denied, asked] = [count(decisions, 'deny'), count(decisions, 'ask')]
  expect(forbidden.length).toBeGreaterThanOrEqual(1_200)
  process.stdout.write(
    `shell-guard: ${forbidden.length} forbidden commands, ${denied} denied, ${asked} asked about, 0 passed\n`,
  )
})

test('ordinary commands are hardly ever taken for others', () => {
  const alarms = ordinary.filter((one) => judge(one).decision !== 'allow')
  const share = alarms.length / ordinary.length
  process.stdout.write(
    `shell-guard: ${ordinary.length} ordinary commands, ${alarms.length} false alarms (${(share * 100).toFixed(1)} %)\n`,
  )
  expect(share).toBeLessThan(0.02)
})

const run = (options: ShellGuardOptions, ...commands: readonly string[]) =>
  play(
    [
      callsOf('shell', ...commands.map((command) => ({ command }))),
      { text: 'Done.' },
    ],
    {
      plugins: [shellGuard(options)],
      tools: [echoTool('shell'), echoTool('look')],
      approvals: createMemoryApprovals({ onQuestion: () => {} }),
    },
  )

test('a denied command does not run, and the model is told why', async () => {
  const { statuses, events } = await run({}, 'ls', 'r""m -fr /', 'git status')
  expect([...statuses].sort()).toEqual(['denied', 'executed', 'executed'])
  const told = JSON.stringify(events.filter(({ type }) => type === 'tool-end'))
  expect(told).toContain('it does \\"rm -r {root}\\"')
})

test('calls at the same time are judged one by one', async () => {
  const commands = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? `echo ${index}` : `sudo reboot # ${index}`,
  )
  const { statuses } = await run({}, ...commands)
  expect(count(statuses, 'executed')).toBe(10)
  expect(count(statuses, 'denied')).toBe(10)
})

test('what the tool is given in another argument is not a command', async () => {
  const { statuses } = await play(
    [
      callsOf('shell', { script: 'ls' }, { command: ['rm', '-rf', '/'] }),
      callsOf('look', { command: 'rm -rf /' }),
      { text: 'Done.' },
    ],
    {
      plugins: [shellGuard({})],
      tools: [echoTool('shell'), echoTool('look')],
    },
  )
  expect(statuses).toEqual(['denied', 'denied', 'executed'])
})

const decisionOf = (rules: Partial<Parameters<typeof commandJudge>[0]>) => {
  const own = commandJudge({
    ...{ deny: [], ask: [], allow: [], unknown: 'ask', otherwise: 'ask' },
    ...rules,
  })
  return (command: string) => own(command).decision
}

test('what is allowed is allowed word by word, and nothing beside it', () => {
  const decision = decisionOf({ allow: ['git status', 'npm run *', 'ls *'] })
  expect(decision('git status')).toBe('allow')
  expect(decision('ls -la src/*.ts && npm run build')).toBe('allow')
  expect(decision('git status --short')).toBe('ask')
  expect(decision('ls; id')).toBe('ask')
  expect(decision('ls $(id)')).toBe('ask')
  expect(decision('ls > /tmp/x')).toBe('ask')
  expect(decision('ls $X')).toBe('ask')
  expect(decision('git -c a.b=c status')).toBe('ask')
  expect(decision('/tmp/ls')).toBe('ask')
  expect(decision('ls() { id; }; ls')).toBe('ask')
  expect(decision('alias ls=id\nls')).toBe('ask')
  expect(decision('')).toBe('ask')
})

test('a denial is stronger than a question, and that than a permission', () => {
  const decision = decisionOf({
    ...{ deny: ['curl *'], ask: ['git push'], allow: ['* *'] },
    otherwise: 'allow',
  })
  expect(decision('ls')).toBe('allow')
  expect(decision('git -C x push')).toBe('ask')
  expect(decision('git push; curl x')).toBe('deny')
})

test('flags count in any order, short, long and together', () => {
  const decision = decisionOf({
    deny: ['tool -ab --force'],
    otherwise: 'allow',
  })
  for (const form of [
    ...['tool -a -b -f', 'tool -bfa', 'tool x --force -ab', 'tool --for -b -a'],
    ...['tool -ab --force=1', '/bin/tool -xab -f'],
  ]) {
    expect([form, decision(form)]).toEqual([form, 'deny'])
  }
  expect(decision('tool -a --force')).toBe('allow')
  expect(decision('other -ab --force')).toBe('allow')
})

test('what is unknown can be denied outright', () => {
  const decision = decisionOf({ unknown: 'deny', deny: ['rm *'] })
  expect(decision('$X')).toBe('deny')
  expect(decision("echo 'open")).toBe('deny')
  expect(decision('echo $X')).toBe('ask')
})

test('rules of the list that ships can be left out, or all of them', async () => {
  const push = 'git push --force-with-lease'
  const without = ['git push --force-with-lease', 'git push --force']
  expect((await run({}, push)).statuses).toEqual(['denied'])
  expect((await run({ without }, push)).statuses).toEqual(['executed'])
  expect((await run({ defaults: false }, push)).statuses).toEqual(['executed'])
})

test.each([
  [{ deny: ['  '] }, 'it is empty'],
  [{ deny: ['rm {everything}'] }, '{everything}'],
  [{ ask: ['> a b'] }, 'one path'],
  [{ unknown: 'allow' }, 'unknown'],
  [{ denny: [] }, 'deny'],
  [{ tools: { shell: 1 } }, 'tools'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => shellGuard(options as ShellGuardOptions)).toThrow(word)
})
