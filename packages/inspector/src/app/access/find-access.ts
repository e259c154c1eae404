import {
  askOtherTabs,
  endLogin,
  isStillIn,
  keptLogin,
  type Login,
  logIn,
} from '../../data/access.ts'

export interface Found {
  /** Absent: nobody is in. */
  readonly login?: Login | undefined
  /** Why a link did not lead in. */
  readonly problem?: string
  /** A link would sign in somebody else. */
  readonly other?: Login
}

/**
 * Who is here, and what a link makes of that. A link may come from anybody: one
 * that leads nowhere throws nobody out, and one of somebody else makes nobody
 * that person before they were asked.
 */
export async function findAccess(code: string | undefined): Promise<Found> {
  const here = keptLogin() ?? (await askOtherTabs())
  if (code === undefined) return { login: here }
  let login: Login
  try {
    login = await logIn(code)
  } catch (error) {
    return { login: here, problem: String(Object(error).message) }
  }
  if (here === undefined || !(await isStillIn(here))) return { login }
  if (here.who !== login.who) return { login: here, other: login }
  // One login for all tabs: they share what is read for them.
  endLogin(login)
  return { login: here }
}
