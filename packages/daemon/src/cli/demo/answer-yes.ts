import type { Client } from '../../protocol/client.ts'
import type { Output } from '../output/output.ts'
import { answerApproval, renderApproval } from '../turn/ask-approval.ts'
import type { Asker } from '../turn/asking.ts'

/** For a story that has to end although nobody is there: it says yes, and says so. */
export function yesAsker(client: Client, output: Output): Asker {
  return {
    async askApproval({ id: approvalId }) {
      const approval = await client.getApproval({ approvalId })
      output.note(renderApproval(approval))
      output.note('Nobody is here, so the demo says yes.')
      const reason = 'The demo answered, as nobody was there.'
      await answerApproval(client, approval, { type: 'allow', reason })
    },
    async askQuestions({ sessionId, callId }) {
      await client.answerQuestions({ sessionId, callId })
    },
  }
}
