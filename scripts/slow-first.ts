import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * A process goes on with the next file of the same project only, so those that
 * share processes come one after another; the smallest close the run.
 */
const projects = ['alone', 'browser', 'real', 'page']

/** What takes longest, the longest first; the rest needs no order. */
const slow = [
  'runtime/kill.test.ts',
  'sessions/tasks-kill.test.ts',
  'store/approvals/approval-processes.test.ts',
  'store/runs/crash.test.ts',
  'commands/backup.test.ts',
  'jobs/chaos',
  'hooks/every-hook.test.ts',
  'store/sqlite/strace.long',
  'jobs/',
  'store/',
  'properties/',
  'daemon/src/',
  'hooks/opa/',
  'runtime/',
  'dialects/',
]

/** Begins with what takes long, so that nothing runs alone at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(
    files: TestSpecification[],
  ): Promise<TestSpecification[]> {
    return files.toSorted(
      (a, b) => projectRank(a) - projectRank(b) || slowRank(a) - slowRank(b),
    )
  }
}

function projectRank({ project }: TestSpecification): number {
  return projects.indexOf(project.name)
}

function slowRank({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((part) => moduleId.includes(part))
  return place === -1 ? slow.length : place
}
