import type { LimitSettings } from '../reload/settings.ts'
import type { Workspace } from '../reload/workspace.ts'

/** What sessions need of the workspace that they are part of. */
export type HostedWorkspace = Pick<
  Workspace,
  'root' | 'store' | 'runtime' | 'background' | 'questions' | 'log' | 'onChange'
> & {
  readonly settings: {
    readonly daemon: { readonly limits: LimitSettings }
  }
}
