import { useShortcuts } from '../../around/keyboard/shortcuts.ts'
import { canLast } from '../../data/protocol.ts'
import type { Decision } from './decision/use-decision.ts'

/**
 * Answers by the keyboard. What has just come into sight is not answered by a
 * key that was meant for what was there before; whether it is time is returned.
 */
export function useDecisionKeys(
  decision: Decision,
  onLeave: () => void,
): boolean {
  const { step, setStep, propose, isBusy, isRead, approval } = decision
  const { refusal } = approval
  const whenChoosing = (run: () => void) => () => {
    if (step.type === 'choose' && isRead && !isBusy) run()
  }
  useShortcuts([
    {
      keys: 'a',
      about: 'Approve once',
      group: 'This view',
      run: whenChoosing(() => {
        if (refusal === undefined) propose({ type: 'allow', lasts: 'once' })
      }),
    },
    {
      keys: 's',
      about: 'Approve for the session',
      group: 'This view',
      run: whenChoosing(() => {
        if (refusal !== undefined || !canLast(approval)) return
        propose({ type: 'allow', lasts: 'session' })
      }),
    },
    {
      keys: 'e',
      about: 'Modify the arguments',
      group: 'This view',
      run: whenChoosing(() => {
        if (refusal === undefined) setStep({ type: 'edit' })
      }),
    },
    {
      keys: 'd',
      about: 'Deny, with a reason',
      group: 'This view',
      run: whenChoosing(() => {
        if (refusal?.code !== 'no-right') setStep({ type: 'deny' })
      }),
    },
    {
      keys: 'Escape',
      about: 'Back',
      group: 'This view',
      run: () => {
        if (step.type === 'choose') onLeave()
        else setStep({ type: 'choose' })
      },
    },
  ])
  return isRead
}
