import type { PointName } from 'hookline/lifecycle'
import type { Kind } from './kind.ts'
import { modelAfter, modelBefore } from './model-kinds.ts'
import type { MomentKind } from './moment.ts'
import { promptRewrite, turnCancelled } from './more-kinds.ts'
import {
  notification,
  permission,
  permissionDenied,
  toolBatch,
  toolFailure,
  toolPost,
  toolPre,
} from './tool-kinds.ts'
import {
  compactAfter,
  compactBefore,
  prompt,
  sessionAfterCompaction,
  sessionBegin,
  sessionOver,
  stop,
  subagentBegin,
  subagentOver,
  turnCutOff,
  turnFailure,
} from './turn-kinds.ts'

/** Where each kind of moment happens; some happen at more than one point. */
export const kinds: Readonly<Record<MomentKind, readonly Kind[]>> = {
  'session-start': [sessionBegin, sessionAfterCompaction],
  'session-end': [sessionOver],
  prompt: [prompt],
  'prompt-rewrite': [promptRewrite],
  'tool-pre': [toolPre],
  permission: [permission],
  'permission-denied': [permissionDenied],
  notification: [notification],
  'tool-post': [toolPost],
  'tool-failure': [toolFailure],
  'tool-batch': [toolBatch],
  'subagent-start': [subagentBegin],
  'subagent-stop': [subagentOver],
  stop: [stop],
  'turn-error': [turnFailure, turnCutOff],
  'turn-cancelled': [turnCancelled],
  'compact-pre': [compactBefore],
  'compact-post': [compactAfter],
  'model-pre': [modelBefore],
  'model-post': [modelAfter],
}

/** The points that each event of a product fires at. */
export function eventPoints(
  moments: Readonly<Record<string, readonly MomentKind[]>>,
): Readonly<Record<string, readonly PointName[]>> {
  return Object.fromEntries(
    Object.entries(moments).map(([event, kinds]) => [event, pointsOf(kinds)]),
  )
}

/** The points that an event fires at, by its kinds of moments. */
function pointsOf(moments: readonly MomentKind[] = []): readonly PointName[] {
  const names = moments.flatMap((kind) =>
    kinds[kind].map(({ point }) => point.name),
  )
  // The points of kinds are points of the lifecycle.
  return [...new Set(names)] as PointName[]
}
