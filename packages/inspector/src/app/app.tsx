import { useEffect, useRef, useState } from 'react'
import {
  endLogin,
  forgetLogin,
  keepLogin,
  type Login,
  takeCode,
} from '../data/access.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { findAccess } from './access/find-access.ts'
import { LinkNote } from './access/link-note.tsx'
import { OtherLoginDialog } from './access/other-login.tsx'
import { SignIn } from './access/sign-in.tsx'
import { DaemonProvider } from './daemon-provider.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Shell } from './shell/shell.tsx'

type Access =
  | { readonly type: 'looking' }
  | {
      readonly type: 'in'
      readonly login: Login
      /** What came of a link that did not lead in. */
      readonly problem?: string | undefined
      readonly other?: Login | undefined
    }
  | { readonly type: 'out'; readonly reason?: string | undefined }

interface AppProps {
  /** What the address held, if it held a code. */
  readonly code: string | undefined
}

export function App({ code }: AppProps) {
  const [access, setAccess] = useState<Access>({ type: 'looking' })
  const enter = (login: Login) => {
    keepLogin(login)
    setAccess({ type: 'in', login })
  }
  const find = async (given: string | undefined) => {
    const { login, problem, other } = await findAccess(given)
    if (login === undefined) return setAccess({ type: 'out', reason: problem })
    keepLogin(login)
    setAccess((now) => {
      const isHere = now.type === 'in' && now.login.token === login.token
      return { type: 'in', login: isHere ? now.login : login, problem, other }
    })
  }
  const isAsked = useRef(false)
  useEffect(() => {
    // A code counts once, however often this is drawn.
    if (isAsked.current) return
    isAsked.current = true
    void find(code)
  })
  useEffect(() => {
    // A link that is opened where the page is already does not load it anew.
    const onHash = () => {
      const next = takeCode()
      if (next !== undefined) void find(next)
    }
    window.addEventListener('hashchange', onHash)
    return () => window.removeEventListener('hashchange', onHash)
  })
  if (access.type === 'looking') return null
  if (access.type === 'out') {
    return <SignIn reason={access.reason} onLogin={enter} />
  }
  const { login, problem, other } = access
  const signOut = (reason?: string) => {
    forgetLogin()
    setAccess({ type: 'out', reason })
  }
  const stay = () => {
    if (other !== undefined) endLogin(other)
    setAccess({ type: 'in', login })
  }
  return (
    <ErrorBoundary>
      <TooltipProvider delayDuration={400}>
        {/* Nothing that one was shown is left for another. */}
        <DaemonProvider key={login.token} login={login} onSignedOut={signOut}>
          <Shell
            note={problem && <LinkNote problem={problem} onClose={stay} />}
          />
        </DaemonProvider>
        {other !== undefined && (
          <OtherLoginDialog
            here={login.who}
            other={other.who}
            onStay={stay}
            onSwitch={() => enter(other)}
          />
        )}
      </TooltipProvider>
    </ErrorBoundary>
  )
}
