import type { ArgsCheck, CheckedArgs } from 'hookline/lifecycle'
import { type ArgsIssue, describeIssues } from '../data/args-issue.ts'
import { copyJsonObject } from '../data/copy-json.ts'
import { isPromiseLike } from '../data/promise-like.ts'
import type {
  StandardIssue,
  StandardResult,
  StandardSchema,
} from './standard-schema.ts'

/** Checks by the schema; what it makes of the arguments is what counts. */
export function checkBySchema(schema: StandardSchema): ArgsCheck {
  const { validate } = schema['~standard']
  const check: ArgsCheck = (args) => {
    const result = validate(args)
    return isPromiseLike(result) ? result.then(checked) : checked(result)
  }
  ownChecks.add(check)
  return check
}

// What these give are copies already.
const ownChecks = new WeakSet<ArgsCheck>()

export function givesCopies(check: ArgsCheck): boolean {
  return ownChecks.has(check)
}

function checked(result: StandardResult<unknown>): CheckedArgs {
  if (result.issues) {
    return { problem: describeIssues(result.issues.map(issueOf)) }
  }
  // The arguments are sealed and recorded as JSON, so that the schema can
  // make nothing of them that would be something else when read again.
  const { value, issue } = copyJsonObject(result.value)
  return issue ? { problem: describeIssues([issue]) } : { args: value }
}

export function issueOf({ path = [], message }: StandardIssue): ArgsIssue {
  return {
    path: path.map((part) => (typeof part === 'object' ? part.key : part)),
    message,
  }
}
