import type { TurnStatus } from 'hookline/lifecycle'

/** How a turn can end. */
export const turnStatuses = [
  'succeeded',
  'rejected',
  'withheld',
  'failed',
  'cancelled',
  'limited',
] as const satisfies readonly TurnStatus[]
