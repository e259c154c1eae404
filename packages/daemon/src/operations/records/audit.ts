import { type AuditHead, listAudit, verifyAudit } from '@hookline/agent/durable'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { plainData } from '../plain-data.ts'

export function auditOperations(
  workspace: Workspace,
): Pick<OperationService, 'listAudit' | 'verifyAudit'> {
  const { parts, audit } = workspace.store
  return {
    async listAudit({ limit = 100, after, sessionId }) {
      // Whoever asks wants to see what was done before they asked.
      await audit.flush()
      const { records, next } = await listAudit(parts, {
        limit,
        ...(after !== undefined && { before: readSeq(after) }),
        ...(sessionId !== undefined && { sessionId }),
      })
      const items = records.map(({ body, ...record }) => ({
        ...plainData(record),
        body: readBody(body),
      }))
      return { items, ...(next !== undefined && { next: String(next) }) }
    },
    async verifyAudit({ anchors = [] }) {
      await audit.flush()
      return plainData(await verify(workspace, anchors))
    },
  }
}

/** By the key it is written with, and what was written down beside it. */
async function verify(workspace: Workspace, given: readonly AuditHead[]) {
  const { store, auditKey: key } = workspace
  return await verifyAudit(store.parts, {
    anchors: [...(await workspace.anchors()), ...given],
    ...(key !== undefined && { key }),
  })
}

function readSeq(after: string): number {
  if (/^\d{1,16}$/.test(after)) return Number(after)
  const message = `"${after}" is no place in the audit log; give the \`next\` of a page.`
  throw new ProtocolError('bad-request', message)
}

/** Somebody may have broken it, and then it is shown as it is. */
function readBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
