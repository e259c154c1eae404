import { ProtocolError } from '@hookline/daemon/client'
import { openClient } from './open-client.ts'

const tokenKey = 'hookline-token'
const whoKey = 'hookline-who'
const channelName = 'hookline-access'
/** How long other tabs have to answer before they are asked again. */
const askMs = 250
/** A tab that is busy answers late. */
const mostAsks = 20

/** A way in that ends by itself, and who has it. */
export interface Login {
  readonly token: string
  readonly who: string
}

/** The login of this tab: it is in no address, and gone with the tab. */
export function keptLogin(): Login | undefined {
  const { sessionStorage } = window
  const token = sessionStorage.getItem(tokenKey)
  const who = sessionStorage.getItem(whoKey)
  return token === null || who === null ? undefined : { token, who }
}

export function keepLogin({ token, who }: Login): void {
  window.sessionStorage.setItem(tokenKey, token)
  window.sessionStorage.setItem(whoKey, who)
}

export function forgetLogin(): void {
  window.sessionStorage.removeItem(tokenKey)
  window.sessionStorage.removeItem(whoKey)
}

/**
 * Takes the code out of the address before anything else happens, so that it
 * stays in no history and no picture of the screen.
 */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code')
  if (window.location.hash !== '') {
    const { pathname, search } = window.location
    window.history.replaceState(null, '', pathname + search)
  }
  return code ?? undefined
}

/** Gets in with a code. Throws a `ProtocolError` where it lets nobody in. */
export async function logIn(code: string): Promise<Login> {
  const { token, caller } = await openClient().login({ code })
  return { token, who: `${caller.kind}:${caller.id}` }
}

/** A token may count for ever: what a page has and keeps is a login. */
export async function exchangeToken(token: string): Promise<Login> {
  const { code } = await openClient({ token }).createLogin()
  return await logIn(code)
}

/** It is over, whether the daemon hears of it or not. */
export function endLogin({ token }: Login): void {
  openClient({ token })
    .logout()
    .catch(() => undefined)
}

/** Whether it counts, as far as the daemon says. */
export async function isStillIn({ token }: Login): Promise<boolean> {
  try {
    await openClient({ token }).info()
    return true
  } catch (error) {
    return !(error instanceof ProtocolError && error.code === 'no-token')
  }
}

/** A tab lets a new one in, so that links work; others tell it when that ends. */
export function shareLogin(login: Login, onEnd: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    if (data === 'ask') channel.postMessage(login)
    if (Object(data).ended === login.token) onEnd()
  }
  const leave = holdPlace()
  return () => {
    leave()
    channel.close()
  }
}

/** Whoever has the same token is out as well, also one that does not end. */
export function tellEnd(token: string): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage({ ended: token })
  channel.close()
}

export async function askOtherTabs(): Promise<Login | undefined> {
  for (let asks = 0; asks < mostAsks; asks++) {
    const isIn = await isSomebodyIn()
    if (isIn === false) return undefined
    const login = await askOnce()
    // Without locks nobody knows whether there is one to wait for.
    if (login !== undefined || isIn === undefined) return login
  }
  return undefined
}

function askOnce(): Promise<Login | undefined> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName)
    const end = (login?: Login) => {
      clearTimeout(timer)
      channel.close()
      resolve(login)
    }
    const timer = setTimeout(end, askMs)
    channel.onmessage = ({ data }) => {
      const { token, who } = Object(data)
      const isLogin = typeof token === 'string' && typeof who === 'string'
      if (isLogin) end({ token, who })
    }
    channel.postMessage('ask')
  })
}

/** Shows other tabs that there is one to ask, so that nobody waits for none. */
function holdPlace(): () => void {
  let leave = () => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const options = { mode: 'shared' } as const
  void locks()?.request(channelName, options, () => left)
  return leave
}

/** Undefined: nobody can tell. */
async function isSomebodyIn(): Promise<boolean | undefined> {
  const held = (await locks()?.query())?.held
  return held?.some(({ name }) => name === channelName)
}

/** A page that came over plain HTTP from another machine has none. */
function locks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined
}
