import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../log/create-log.ts'
import type { Client } from '../protocol/client.ts'
import { startDemo } from './start-demo.ts'
import { scenes } from './story.ts'
import { type DemoFolder, makeDemoFolder } from './workspace.ts'

const quiet = createLog({ write() {} })

async function tellStory(change?: (folder: DemoFolder) => void) {
  const folder = await makeDemoFolder()
  onTestFinished(() => folder.remove())
  change?.(folder)
  const daemon = await startDemo(folder, { env: {}, log: quiet })
  const { client } = daemon
  const stop = new AbortController()
  const answers = answerAll(client, stop.signal)
  const texts: string[] = []
  let sessionId = ''
  for (const { says, isNewSession } of scenes) {
    if (isNewSession) sessionId = (await client.createSession({})).id
    const turn = await client.send({ sessionId, input: says, wait: true })
    expect(turn.status).toBe('succeeded')
    texts.push(turn.text ?? '')
  }
  const { items: runs } = await client.listRuns({ hook: 'no-destruction' })
  stop.abort()
  const asked = await answers
  await daemon.close()
  return { folder, texts, asked, runs, all: JSON.stringify(runs) }
}

/** Somebody who says yes to everything, and notes what it was. */
async function answerAll(client: Client, signal: AbortSignal) {
  const asked: string[] = []
  try {
    for await (const item of client.watchAll({}, { signal })) {
      if (item.type !== 'notice' || item.name !== 'approval-asked') continue
      const { approvalId }: { approvalId: string } = Object(item.data)
      const { shownHash, shown } = await client.getApproval({ approvalId })
      asked.push(shown)
      await client.answerApproval({ approvalId, shownHash, type: 'allow' })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return asked
}

test('a file is edited, a command refused, a key hidden, a memory recalled, a person asked', async () => {
  const { folder, texts, asked, runs } = await tellStory()
  const [first, second, third] = texts
  const read = (path: string) => readFileSync(join(folder.root, path), 'utf8')
  expect(read('src/greet.js')).toContain('Good evening')
  expect(first).toContain('says good evening now')
  expect(existsSync(join(folder.root, 'build/report.txt'))).toBe(true)
  expect(second).toContain('would delete for good')
  expect(second).toContain('"[hidden]"')
  expect(third).toBe('Your release day is Thursday. The shop is published.')
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('sh publish.sh')
  expect(read('published.txt')).toContain('published:')
  const answers = runs.map(({ answer }) => answer)
  expect(answers).toContain('reject')
  expect(answers).toContain('ask')
})

test('without its guard the story ends differently', async () => {
  const { folder, texts, asked, runs } = await tellStory(({ root }) => {
    const file = join(root, '.hookline', 'hooks.yaml')
    const [before, after] = readFileSync(file, 'utf8').split(
      / {2}- name: no-destruction[\s\S]*?\n\n/,
    )
    expect(after).toContain('no-keys')
    writeFileSync(file, `${before}${after}`)
  })
  expect(existsSync(join(folder.root, 'build'))).toBe(false)
  expect(texts[1]).toContain('The build folder is gone.')
  expect(texts[1]).toContain('"[hidden]"')
  expect(asked).toEqual([])
  expect(runs).toEqual([])
})

test('without the other, the model sees the key', async () => {
  const { texts } = await tellStory(({ root }) => {
    const file = join(root, '.hookline', 'hooks.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.slice(0, text.indexOf('  - name: no-keys')))
  })
  expect(texts[1]).toContain('"demo-8d1f0c37b2a94e55"')
})
