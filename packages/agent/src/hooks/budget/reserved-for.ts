import type { ModelRequest } from 'hookline/lifecycle'
import type { Reservation } from './book.ts'

/**
 * A call and its end have the same request, whoever else calls at the same
 * moment. By this its reservation is found again, also after a reload.
 */
const runsByRequest = new WeakMap<ModelRequest, readonly string[]>()

export function noteReserved(request: ModelRequest, run: string): void {
  const before = runsByRequest.get(request) ?? []
  runsByRequest.set(request, [...before, run])
}

/** Whether the call has been through a gate, whatever became of it. */
export function wasReserved(request: ModelRequest): boolean {
  return runsByRequest.has(request)
}

/** Whether something is reserved for this very request. */
export function isOfRequest(
  request: ModelRequest,
): (one: Reservation) => boolean {
  const runs = runsByRequest.get(request) ?? []
  return ({ run }) => runs.includes(run)
}
