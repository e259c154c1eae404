// #region house-style
import type { CodeContext } from '@hookline/agent/handlers'
import { proceed } from 'hookline'

export function run(_input: unknown, { contribute }: CodeContext) {
  contribute({
    kind: 'section',
    value: {
      section: 'style',
      title: 'House style',
      content: 'Short sentences. No exclamation marks.',
    },
  })
  return proceed
}
// #endregion
