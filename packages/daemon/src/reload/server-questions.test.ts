import { UserQuestions } from '@hookline/agent/plugins'
import { expect, test } from 'vitest'
import { askForServers } from './server-questions.ts'

const asked = {
  server: 'shop',
  message: 'How many?',
  sessionId: 's',
  schema: {
    type: 'object',
    properties: {
      count: { type: 'integer', title: 'Count' },
      size: { type: 'string', enum: ['small', 'large'] },
      gift: { type: 'boolean' },
      note: { type: 'string' },
    },
    required: ['count', 'size'],
  },
}

function start() {
  const questions = new UserQuestions()
  questions.connect('s')
  const { signal } = new AbortController()
  const answer = askForServers(questions)(asked, signal)
  const [pending] = questions.pending('s')
  if (pending === undefined) throw new Error('Nothing was asked.')
  const reply = (...texts: readonly string[]) => {
    const answers = pending.questions.map(({ id, options }, index) => {
      const text = texts[index] ?? ''
      return options ? { id, selected: [text] } : { id, text }
    })
    return questions.answer(pending, answers)
  }
  return { questions, pending, answer, reply }
}

test('a server is answered by people, in the types that it wants', async () => {
  const { pending, answer, reply } = start()
  expect(pending).toMatchObject({ agent: 'mcp:shop', sessionId: 's' })
  expect(pending.questions).toMatchObject([
    { header: 'Count', question: 'How many?' },
    { header: 'size', options: [{ label: 'small' }, { label: 'large' }] },
    { header: 'gift', options: [{ label: 'yes' }, { label: 'no' }] },
    { header: 'note' },
  ])
  reply('3', 'large', 'yes', 'Soon.')
  expect(await answer).toEqual({
    action: 'accept',
    content: { count: 3, size: 'large', gift: true, note: 'Soon.' },
  })
})

test('what is no number is no answer, and a dismissal is a no', async () => {
  const wrong = start()
  wrong.reply('three', 'large', 'yes', 'Soon.')
  expect(await wrong.answer).toEqual({ action: 'decline' })
  const { questions, pending, answer } = start()
  questions.dismiss(pending, 'not now')
  expect(await answer).toEqual({ action: 'decline' })
})

test('where nobody is there, the server is told so', async () => {
  const { signal } = new AbortController()
  const ask = askForServers(new UserQuestions())
  expect(await ask(asked, signal)).toEqual({ action: 'cancel' })
  expect(await ask({ ...asked, schema: {} }, signal)).toEqual({
    action: 'decline',
  })
})
