import { createOperations } from './operations/create-operations.ts'
import { openWorkspace } from './reload/open-workspace.ts'
import type { Workspace, WorkspaceOptions } from './reload/workspace.ts'
import { openHome } from './server/home.ts'
import type { OperationService } from './service/service-parts.ts'

/** A project and what can be asked of it, without a server and without sessions. */
export interface OpenedOperations {
  readonly workspace: Workspace
  readonly operations: OperationService
  readonly close: () => Promise<void>
}

/**
 * For a command that needs the hooks for a moment. Unlike a daemon it goes on
 * with nobody's session and nobody's jobs, so that any number of them may run
 * beside one; what its own hooks leave to be done is for the next daemon.
 */
export async function openOperations(
  options: Omit<WorkspaceOptions, 'takesOver'> = {},
): Promise<OpenedOperations> {
  const { home: path, env } = options
  const home = await openHome({ path, ...(env !== undefined && { env }) })
  const workspace = await openWorkspace({
    ...options,
    home: home.path,
    takesOver: false,
  })
  return {
    workspace,
    operations: createOperations(workspace),
    close: () => workspace.close(),
  }
}
