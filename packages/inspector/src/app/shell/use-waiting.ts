import { useAnswer } from '../../data/daemon-context.ts'

/** How many approvals and questions wait for somebody. */
export function useWaiting(): number {
  const approvals = useAnswer('listApprovals', { limit: 1, withCount: true })
  const questions = useAnswer('listQuestions', {})
  return (approvals.data?.count ?? 0) + (questions.data?.items.length ?? 0)
}
