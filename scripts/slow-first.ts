import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest, the longest first; the rest needs no order. */
const slow = [
  'runtime/kill.test.ts',
  'store/approvals/approval-processes.test.ts',
  'store/runs/crash.test.ts',
  'e2e/',
  'sessions/tasks-kill.test.ts',
  'jobs/chaos',
  'store/sqlite/strace.long',
  'jobs/',
  'store/',
  'handlers/command/',
  'properties/',
]

/** Begins with what takes long, so that nothing runs alone at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(
    files: TestSpecification[],
  ): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((part) => moduleId.includes(part))
  return place === -1 ? slow.length : place
}
