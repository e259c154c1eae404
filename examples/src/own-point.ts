import assert from 'node:assert/strict'

// #region own-point
import { defineHook, definePoint, reject, transform, type } from 'hookline'

interface Mail {
  readonly to: string
  readonly text: string
}

const mailSend = definePoint('mail.send', {
  input: type<Mail>(),
  subject: 'text', // hooks may rewrite the text, never the recipient
  answers: ['transform', 'reject'],
  fields: { to: ({ to }) => to },
})

const signature = defineHook({
  name: 'signature',
  on: mailSend,
  writes: true,
  run: ({ text }) => transform(`${text}\n-- \nSent by an agent`),
})

const inHouse = defineHook({
  name: 'in-house',
  on: mailSend,
  after: ['signature'],
  match: { to: { $not: '*@example.com' } },
  run: () => reject('Mail leaves this house only by hand.'),
})

// #endregion

import { compileTable, createEngine } from 'hookline'

const engine = createEngine(compileTable([inHouse, signature]))
const outside = { to: 'ann@elsewhere.example', text: 'Hello' }
const inside = { to: 'bob@example.com', text: 'Hello' }
assert.equal((await engine.run(mailSend, outside)).type, 'reject')
const sent = await engine.run(mailSend, inside)
assert.equal(sent.type, 'proceed')
assert.match(sent.value.text, /Sent by an agent/)
