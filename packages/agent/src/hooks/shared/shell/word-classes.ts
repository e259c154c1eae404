import { any, type Certainty, fits, strongest, type Word } from './word.ts'

const top =
  'bin boot dev etc home lib lib32 lib64 media mnt opt proc root run sbin srv sys usr var Users System Library Applications Volumes private nix'
const roots = [
  ...[
    '/',
    '~',
    '~/..',
    '~/../..',
    '~root',
    '..',
    '../..',
    '../../..',
    '../../../..',
  ],
  ...['../../../../..', '../../../../../..', '../../../../../../..'],
  ...top.split(' ').map((name) => `/${name}`),
  ...['/usr/bin', '/usr/lib', '/usr/local', '/usr/share', '/var/lib'],
  ...['/var/log', '/etc/ssh', '/c', 'C:', 'C:/', '/mnt/c'],
]
const homes = ['~', '/root', '/home/*', '/Users/*', '']
const below = (...names: readonly string[]) =>
  names.flatMap((name) =>
    homes.map((home) => (home === '' ? name : `${home}/${name}`)),
  )

const secrets = [
  ...below('.ssh/id_*', '.ssh/*_rsa', '.ssh/*_ed25519', '.ssh/*.pem'),
  ...below('.ssh/*key*', '.aws/credentials', '.aws/sso/*', '.netrc'),
  ...below('.pgpass', '.my.cnf', '.git-credentials', '.kube/config'),
  ...below('.docker/config.json', '.npmrc', '.pypirc', '.vault-token'),
  ...below('.config/gcloud/*', '.azure/*', '.gnupg/*', '.config/gh/hosts.yml'),
  ...below('.password-store/*', '.bash_history', '.zsh_history'),
  ...below('.cargo/credentials*', '.gem/credentials', '.terraform.d/cred*'),
  ...['/etc/shadow*', '/etc/gshadow*', '/etc/sudoers*', '/etc/master.passwd'],
  ...['/proc/*environ', '/proc/*/mem', '/dev/mem', '/dev/kmem'],
  ...['/etc/ssh/*key', '/etc/krb5.keytab', '/run/secrets/*', '/dev/tcp/*'],
  ...['/var/run/secrets/*', '/var/lib/docker/*', '/etc/kubernetes/*.conf'],
]
const keyFolders = below('.ssh', '.aws', '.gnupg', '.kube', '.password-store')
const devices = [
  ...'sd? sd* hd? hd* vd? vd* xvd* nvme* mmcblk* disk* rdisk* dm-* md? loop* sr? mapper/* mem kmem port'
    .split(' ')
    .map((name) => `/dev/${name}`),
]
const startup = [
  ...below('.bashrc', '.bash_profile', '.bash_login', '.bash_logout'),
  ...below('.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile'),
  ...below('.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login'),
  ...below('.config/fish/*', '.ssh/authorized_keys*', '.ssh/config', '.ssh/rc'),
  ...below('.gitconfig', '.config/git/config', '.xinitrc', '.xprofile'),
  ...below(
    '.config/autostart/*',
    '.config/systemd/*',
    'Library/LaunchAgents/*',
    '.local/share/systemd/*',
  ),
  ...['/etc/profile*', '/etc/bash*', '/etc/zsh*', '/etc/crontab', '/etc/cron*'],
  ...[
    '/etc/passwd',
    '/etc/shadow',
    '/etc/sudoers*',
    '/etc/ld.so.*',
    '/etc/pam*',
  ],
  ...[
    '/etc/rc*',
    '/etc/init*',
    '/etc/systemd/*',
    '/etc/environment',
    '/etc/hosts',
  ],
  ...['/lib/systemd/*', '/usr/lib/systemd/*', '/Library/Launch*', '/etc/ssh/*'],
  ...[
    '/var/spool/cron*',
    '/boot/*',
    '/etc/group',
    '/etc/gshadow',
    '/etc/resolv*',
  ],
  ...[
    '/proc/sys*',
    '/proc/*/mem',
    '/sys/*',
    '.git/hooks/*',
    '.git/config',
    '~/*/.git/hooks/*',
    '/home/*/.git/hooks/*',
  ],
]

/** Patterns, laid out so that most of them need not be compared. */
interface PathClass {
  /** Those that stand for themselves alone. */
  readonly plain: ReadonlySet<string>
  /** All of them, each with what it begins with. */
  readonly all: readonly StartedPattern[]
  /** Those of them that stand for more than themselves. */
  readonly open: readonly StartedPattern[]
}

interface StartedPattern {
  readonly pattern: string
  readonly start: string
}

function pathClass(patterns: readonly string[]): PathClass {
  const all = patterns.map((pattern) => ({
    pattern,
    start: pattern.replace(/[*?].*$/, ''),
  }))
  const isPlain = ({ pattern, start }: StartedPattern) => pattern === start
  return {
    plain: new Set(all.filter(isPlain).map(({ pattern }) => pattern)),
    all,
    open: all.filter((one) => !isPlain(one)),
  }
}

const classes: ReadonlyMap<string, PathClass> = new Map([
  ['root', pathClass(roots)],
  ['device', pathClass(devices)],
  ['secret', pathClass(secrets)],
  ['keys', pathClass(keyFolders)],
  ['startup', pathClass(startup)],
])

export const classNames: readonly string[] = [...classes.keys()]

/** Whether a word names a path of a class. */
export function fitsClass(
  name: string,
  { text, isNames }: Pick<Word, 'text' | 'isNames'>,
): Certainty {
  // What all the patterns begin with: most words are done here.
  if (!/^(?:[~/.\\]|file:|Library|C:)/i.test(text) && !text.startsWith(any)) {
    return 'no'
  }
  // No name of a file in this folder leads out of it.
  const isHere = isNames && /^\0[^/\0]/.test(text)
  const path = plainPath(isHere ? `./${text}` : text)
  if (name === 'root' && /^\/(?:home|Users)\/[^/\0]+$/.test(path)) return 'yes'
  // The key that everybody may see.
  if (name === 'secret' && path.endsWith('.pub')) return 'no'
  // Some file systems do not know case.
  const forms = new Set([path, path.toLowerCase()])
  const found = strongest(Array.from(forms, (form) => fitsOneOf(name, form)))
  if (found === 'yes' || !path.endsWith(`/${any}`)) return found
  // All that is in a folder is as good as the folder.
  const folder = path === `/${any}` ? '/' : path.slice(0, -2)
  const isFolder = name === 'root' && fitsClass(name, { text: folder, isNames })
  return isFolder === 'yes' && isNames ? 'yes' : found
}

function fitsOneOf(name: string, path: string): Certainty {
  const patterns = classes.get(name)
  if (patterns === undefined) return 'no'
  const at = path.indexOf(any)
  if (at < 0) {
    const isPlain = patterns.plain.has(path)
    const isOpen = ({ start, pattern }: StartedPattern) =>
      path.startsWith(start) && fits(path, pattern) === 'yes'
    return isPlain || patterns.open.some(isOpen) ? 'yes' : 'no'
  }
  // What is known of it and what a pattern begins with must not differ.
  const known = path.slice(0, at)
  return strongest(
    patterns.all
      .filter(({ start }) => start.startsWith(known) || known.startsWith(start))
      .map(({ pattern }) => fits(path, pattern)),
  )
}

/** Without what a path can be written with and mean the same. */
export function plainPath(text: string): string {
  const unquoted = text
    .replace(/^file:(?:\/\/)?(?=\/)/, '')
    .replaceAll('\\', '/')
    // The same folders once more, by way of a process.
    .replace(/^\/+proc\/+(?:[^/]+\/+){1,3}?root(?=\/|$)/, '/')
  const isAbsolute = unquoted.startsWith('/')
  const parts: string[] = []
  for (const part of unquoted.split('/')) {
    if (part === '' || part === '.') continue
    const last = parts.at(-1)
    const isUp =
      part === '..' && last !== undefined && !/^(?:~.*|\.\.)$/.test(last)
    if (isUp && !last.includes(any)) parts.pop()
    else if (part !== '..' || !isAbsolute || parts.length > 0) parts.push(part)
  }
  if (isAbsolute) return `/${parts.join('/')}`
  // A name that begins in a folder stays below it.
  const isBelow = unquoted.startsWith('./') && parts[0]?.startsWith(any)
  return (isBelow ? './' : '') + (parts.join('/') || '.')
}
