export interface PathArguments {
  /** Arguments with paths that are read. */
  readonly read?: readonly string[]
  /** Arguments with paths that are written. */
  readonly write?: readonly string[]
}

/** The tools for files that ship, and others by the names they mostly have. */
export const osTools: Readonly<Record<string, PathArguments>> = {
  read: { read: ['path'] },
  grep: { read: ['path'] },
  glob: { read: ['path'] },
  write: { write: ['path'] },
  edit: { write: ['path'] },
  read_file: { read: ['path', 'file_path'] },
  list_files: { read: ['path'] },
  write_file: { write: ['path', 'file_path'] },
  edit_file: { write: ['path', 'file_path'] },
  delete_file: { write: ['path', 'file_path'] },
}

/** Tools that search the working folder where they are given no path. */
export const searchTools: ReadonlySet<string> = new Set([
  'grep',
  'glob',
  'list_files',
])

/** Keys, passwords and what else gives rights away. */
export const defaultSecret: readonly string[] = [
  ...['.env', '.env.local', '.env.*.local', '.env.{production,development}'],
  ...['.env.{prod,dev,staging,test}', '.envrc', '.netrc', '.npmrc'],
  ...[
    '.ssh',
    '.gnupg',
    '.aws',
    '.azure',
    '.kube',
    '.docker',
    '.password-store',
  ],
  ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', '*.pem', '*.key', '*.p12'],
  ...['*.pfx', '*.jks', '*.keystore', '*.kdbx', '.git-credentials', '.pypirc'],
  ...['.vault-token', '.htpasswd', 'credentials.json', 'service-account*.json'],
  ...['~/.config/gcloud', '~/.config/gh', '~/.bash_history', '~/.zsh_history'],
  ...['.env.{bak,old,orig,save,backup}', '.env~', '.pgpass', '.my.cnf'],
  ...['/etc/shadow', '/etc/gshadow', '/etc/sudoers*', '/proc/**/environ'],
  ...['/proc/**/mem', '/proc/**/fd', '/dev/fd'],
]

/** What is run later on, or decides what is. */
export const defaultNoWrite: readonly string[] = [
  ...[
    '.git',
    '.githooks',
    '.husky',
    '.hookline',
    '.claude',
    '.vscode',
    '.idea',
  ],
  ...['.bashrc', '.bash_profile', '.profile', '.zshrc', '.zshenv', '.zprofile'],
  ...['.bash_login', '.bash_logout', '.bash_aliases', '.zlogin', '.zlogout'],
  ...['.kshrc', '.cshrc', '.tcshrc', '.xinitrc', '.xprofile', '.devcontainer'],
  ...['**/.config/{fish,autostart,systemd,git}', '**/Library/LaunchAgents'],
  ...['.cursor', '.pre-commit-config.yaml', 'lefthook.y*ml'],
  ...[
    '.gitconfig',
    '.gitmodules',
    '.mcp.json',
    'hookline.config.*',
    '.yarnrc*',
  ],
  ...['/etc/**', '/usr/**', '/bin/**', '/sbin/**', '/boot/**', '/dev/**'],
]
