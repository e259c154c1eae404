import {
  described,
  flag,
  list,
  number,
  object,
  text,
  word,
} from '../../define-hooks.ts'
import type { Notification, WebhookOptions } from './deliver.ts'

export interface NotifyOptions {
  /** What people are told about; default: all of it. */
  readonly about?: readonly Notification['kind'][]
  /** Turns that took less are not worth it; default 30 000. */
  readonly minTurnMs?: number
  readonly webhook?: WebhookOptions
  /** On the desktop of whoever runs the process; default: false. */
  readonly desktop?: boolean
  /** More than so many in a minute are left out; default 10. */
  readonly perMinute?: number
}

const webhook = object<WebhookOptions>(
  {
    url: described(
      text({ pattern: /^https?:\/\//, kind: 'an address', maxLength: 2_000 }),
      'Where it is posted to: https, at a public address.',
    ),
    secretEnv: described(
      text({ pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, kind: 'a variable' }),
      'The variable with the key that requests are signed with.',
    ),
    allowPrivate: described(
      flag,
      'Addresses of private networks may be asked, too; default: false.',
    ),
  },
  ['url'],
)

export const notifyShape = object<NotifyOptions>(
  {
    about: described(
      list(word(['approval', 'turn-end', 'error']), { min: 1, max: 3 }),
      'What people are told about; default: all of it.',
    ),
    minTurnMs: described(
      number({ isWhole: true, min: 0, max: 86_400_000 }),
      'Turns that took less are not worth it; default 30 000.',
    ),
    webhook: described(webhook, 'A server that is told.'),
    desktop: described(
      flag,
      'On the desktop of whoever runs the process; default: false.',
    ),
    perMinute: described(
      number({ isWhole: true, min: 1, max: 600 }),
      'More than so many in a minute are left out; default 10.',
    ),
  },
  [],
)
