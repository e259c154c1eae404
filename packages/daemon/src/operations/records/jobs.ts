import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { plainData } from '../plain-data.ts'

export function jobOperations({
  runtime,
}: Workspace): Pick<OperationService, 'listJobs'> {
  return {
    async listJobs({ limit = 50, after, state }) {
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
