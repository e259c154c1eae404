import type { JobState } from '@hookline/agent/durable'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { plainData } from '../plain-data.ts'

const states: readonly JobState[] = [
  'queued',
  'delayed',
  'running',
  'done',
  'failed',
  'dead',
  'cancelled',
]

export function jobOperations({
  runtime,
}: Workspace): Pick<OperationService, 'listJobs'> {
  return {
    async listJobs({ limit = 50, after, state: given }) {
      const state = states.find((one) => one === given)
      if (given !== undefined && state === undefined) {
        const message = `A job is never "${given}"; it is one of: ${states.join(', ')}.`
        throw new ProtocolError('bad-request', message)
      }
      const { queue } = runtime
      const [page, counts] = await Promise.all([
        queue.list({
          limit,
          ...(after !== undefined && { after }),
          ...(state !== undefined && { state }),
        }),
        queue.counts(),
      ])
      return {
        items: page.jobs.map(plainData),
        ...(page.next !== undefined && { next: page.next }),
        counts: plainData(counts),
      }
    },
  }
}
