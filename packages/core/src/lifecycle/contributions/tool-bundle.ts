import { defineKind } from '../../define/define-kind.ts'
import type { BoundTool } from '../tool-definition.ts'
import {
  type Check,
  checkCount,
  checkFlag,
  checkList,
  checkName,
  checkObject,
  checkOneOf,
  checkRecord,
  checkText,
  optional,
} from './check-value.ts'

/** Tools for this turn. The hook that contributes them owns them. */
export interface ToolBundle {
  readonly tools: readonly BoundTool[]
}

const checkFunction: Check = (value) =>
  typeof value === 'function' ? undefined : 'is not a function'

const checkTool = checkObject<BoundTool>({
  name: checkName,
  description: checkText,
  inputSchema: checkRecord,
  safety: checkOneOf('read_only', 'mutating', 'destructive', 'network'),
  idempotent: optional(checkFlag),
  timeoutMs: optional(checkCount),
  waitsForPeople: optional(checkFlag),
  dispatch: checkFunction,
  checkArgs: optional(checkFunction),
})

/** Holds functions, so that it cannot come from outside the process. */
export const toolBundle = defineKind<ToolBundle>()('tools', {
  live: true,
  check: checkObject<ToolBundle>({ tools: checkList(checkTool) }),
})
