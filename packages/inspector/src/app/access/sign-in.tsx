import { ProtocolError } from '@hookline/daemon/client'
import { type SubmitEvent, useState } from 'react'
import { exchangeToken, type Login } from '../../data/access.ts'
import { Button } from '../../ui/button.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Mark } from '../shell/mark.tsx'

interface SignInProps {
  /** Why somebody is here, if they were in or had a code. */
  readonly reason: string | undefined
  readonly onLogin: (login: Login) => void
}

/** How to get in, for whoever is not. */
export function SignIn({ reason, onLogin }: SignInProps) {
  const [problem, setProblem] = useState(reason)
  const [isBusy, setBusy] = useState(false)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = new FormData(event.currentTarget).get('token')
    const token = typeof field === 'string' ? field.trim() : ''
    if (token !== '') void enter(token)
  }
  const enter = async (token: string) => {
    setBusy(true)
    try {
      onLogin(await exchangeToken(token))
    } catch (error) {
      setProblem(explain(error))
      setBusy(false)
    }
  }
  return (
    <main className="flex h-full items-center justify-center overflow-auto bg-sunken p-4">
      <title>Sign in · Hookline</title>
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-2.5">
          <Mark />
          <h1 className="text-lg font-semibold">Hookline</h1>
        </div>
        {problem !== undefined && (
          <p
            role="alert"
            className="mb-4 rounded-md bg-caution-soft px-3 py-2 text-sm text-caution"
          >
            <HostileText text={problem} />
          </p>
        )}
        <div className="rounded-lg border border-line bg-surface p-5">
          <h2 className="text-sm font-semibold">Open it from your terminal</h2>
          <p className="mt-1 text-sm text-muted">
            On the machine that the daemon runs on:
          </p>
          <pre className="mt-3 rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs">
            {openCommand()}
          </pre>
          <form onSubmit={submit} className="mt-5 border-t border-line pt-5">
            <label htmlFor="token" className="text-sm font-semibold">
              Or paste a token
            </label>
            <p className="mt-1 text-sm text-muted">
              Whoever runs the daemon makes one with{' '}
              <code className="font-mono text-xs">
                hookline principals create
              </code>
              .
            </p>
            <div className="mt-3 flex gap-2">
              <input
                id="token"
                name="token"
                type="password"
                autoComplete="off"
                placeholder="hkl_…"
                className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-raised px-2.5 text-sm placeholder:text-faint"
              />
              <Button look="primary" type="submit" isBusy={isBusy}>
                Sign in
              </Button>
            </div>
          </form>
        </div>
        <p className="mt-4 text-xs text-muted">
          The token is kept nowhere: you get a login of this browser, which ends
          after twelve idle hours or with the daemon.
        </p>
      </div>
    </main>
  )
}

function explain(error: unknown): string {
  if (error instanceof ProtocolError) return error.message
  return 'The daemon did not answer; see whether it runs.'
}

/**
 * Leads back to where somebody was. An address may come from anybody, so that
 * only what a shell takes as it is becomes part of what people copy.
 */
function openCommand(): string {
  const { pathname } = window.location
  const isPlain = /^\/[\w/.-]+$/.test(pathname) && pathname !== '/live'
  return isPlain ? `hookline open ${pathname}` : 'hookline open'
}
