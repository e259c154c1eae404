import { steersCode } from '../handlers/command/build-env.ts'
import { isProjectScope } from './layer.ts'
import type { ConfigNode, MapEntry } from './node.ts'
import { type Path, quote } from './problem.ts'
import type { Report } from './report.ts'

/** What is in these has names of others: arguments of tools, variables. */
const named: ReadonlySet<string> = new Set([
  'match',
  'onFailure',
  'setEnv',
  'headers',
])

/**
 * What a file that comes with a project may not say, wherever it says it:
 * whatever could send credentials elsewhere, or change who is trusted.
 */
export function checkScope(
  root: ConfigNode,
  report: Report,
  rights: ReadonlySet<string>,
): void {
  if (!isProjectScope(report.layer)) return
  walk(root, [])

  function walk(node: ConfigNode, path: Path): void {
    if (node.type === 'list') {
      for (const [index, item] of node.items.entries()) {
        walk(item, [...path, index])
      }
    }
    if (node.type !== 'map') return
    for (const entry of node.entries) {
      const inside = [...path, entry.key]
      checkEntry(entry, inside)
      if (!named.has(entry.key)) walk(entry.node, inside)
    }
  }

  function checkEntry({ key, keyAt, node }: MapEntry, path: Path): void {
    const refuse = (what: string, at = keyAt, where = path) => {
      const message = `${what} is not accepted from a ${report.layer} file, ${quote(report.file)}; put it into the user's own.`
      report.add({ code: 'refused-key', at, path: where, message })
    }
    if (key === 'setEnv' && node.type === 'map') {
      for (const { key: name, keyAt: at } of node.entries) {
        if (!redirects(name) && !isSecret(name)) continue
        refuse(`Setting the variable ${quote(name)}`, at, [...path, name])
      }
      return
    }
    if (key === 'env' || key === 'capabilities') {
      const isRefused = key === 'env' ? isSecret : isRight
      const what = key === 'env' ? 'The variable' : 'The right'
      for (const { index, name, at } of textsOf(node)) {
        if (!isRefused(name)) continue
        refuse(`${what} ${quote(name)}`, at, [...path, index])
      }
      return
    }
    if (isHarmless(key, node)) return
    refuse(`The key ${quote(key)}`)
  }

  function isRight(name: string): boolean {
    return rights.has(name)
  }
}

function* textsOf(node: ConfigNode) {
  if (node.type !== 'list') return
  for (const [index, { at, ...item }] of node.items.entries()) {
    if (item.type === 'scalar' && typeof item.value === 'string') {
      yield { index, name: item.value, at }
    }
  }
}

function isHarmless(key: string, node: ConfigNode): boolean {
  const value = node.type === 'scalar' ? node.value : undefined
  if (key === 'isolation') return value !== 'process-wide'
  const name = key.toLowerCase().replace(/[_-]/g, '')
  // To say that something is off that is off anyway does no harm.
  if (name === 'allowprivate') return value === false
  return !refusedKeys.has(name)
}

const refusedKeys: ReadonlySet<string> = new Set(
  `secretenv keyenv apikey apikeyhelper credentials
   baseurl apibase apiurl endpoint otlpendpoint otelendpoint
   proxy httpproxy httpsproxy allproxy noproxy
   ca cafile cacert cacerts certfile rejectunauthorized insecure
   nodeoptions home homedir
   trust trusted trustedhooks trustedprojects permissionmode defaultmode
   disableallhooks disablehooks failurepolicy`.split(/\s+/),
)

const redirecting =
  /^(?:HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|PATH|SHELL)$|^(?:NODE|OTEL|XDG|SSL|CURL|NPM_CONFIG|YARN|PIP|DOTNET|COR|CORECLR)_|PROXY|BASE_?UR[LI]|API_?UR[LI]|API_?BASE|API_?HOST|ENDPOINT|CA_?(?:BUNDLE|CERT|FILE)/i

/** Programs take it for where to go, what to load or whom to believe. */
function redirects(variable: string): boolean {
  return redirecting.test(variable) || steersCode(variable)
}

const secret =
  /KEY|TOKEN|SECRET|PASS|PWD$|CRED|AUTH|COOKIE|SESSION|PRIVATE|DSN|CONNECTION|DATABASE_URL|^(?:AWS|AZURE|GOOGLE|GCP|SSH|GPG|VAULT|PG|MYSQL|REDIS|ANTHROPIC|OPENAI|GITHUB|GITLAB|NPM)_|^KUBECONFIG$|^PG[A-Z]+$/i

function isSecret(variable: string): boolean {
  return secret.test(variable)
}
