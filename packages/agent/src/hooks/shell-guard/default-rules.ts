const readers =
  'cat tac less more head tail nl od xxd hexdump strings base64 base32 cp mv scp rsync tar zip 7z gzip curl wget nc dd sort cut paste rev tee grep egrep fgrep rg awk gawk sed vi vim nano code openssl gpg xclip pbcopy python python3 perl ruby node php jq diff cmp fold fmt pr shuf split column expand iconv install ln'
const copiers = 'cp mv scp rsync tar zip 7z grep rg cat find-delete'
const writers =
  'tee cp mv ln install dd rsync scp truncate shred rm unlink chmod chown vi vim nano ed sponge'

const each = (programs: string, rest: string) =>
  programs.split(' ').map((program) => `${program} ${rest}`)

/** What hardly anybody wants an agent to do, whatever its task is. */
export const defaultDeny: readonly string[] = [
  // What cannot be brought back.
  ...['rm -r {root}', 'find-delete {root}', 'shred {root}', 'shred {device}'],
  ...[
    'rm -r {keys}',
    'tar --remove-files {root}',
    'cmake remove_directory {root}',
  ],
  ...['rm --no-preserve-root', 'rimraf {root}', 'del-cli {root}', 'srm {root}'],
  ...['mv {root}', 'rsync --delete {root}', 'unlink {root}', 'wipe *'],
  ...['mkfs *', 'mkfs.* *', 'mke2fs *', 'mkswap *', 'wipefs *', 'fdisk *'],
  ...[
    'sfdisk *',
    'parted *',
    'gdisk *',
    'sgdisk *',
    'cfdisk *',
    'blkdiscard *',
  ],
  ...['diskutil erase*', 'diskutil partition*', 'hdparm *', 'cryptsetup *'],
  ...['dd of={device}', 'cp {device}', 'tee {device}', 'cat {device}'],
  ...['lvremove *', 'vgremove *', 'zpool destroy', 'zfs destroy', 'format *'],
  ...[
    'truncate {device}',
    '> {device}',
    '> /dev/tcp/*',
    '> /dev/udp/*',
    'dd of={startup}',
    'badblocks -w',
  ],
  ...each('chmod chown chgrp', '-R {root}'),
  ...['chmod 777 {root}', 'setfacl -R {root}', 'chattr *'],
  ...['chmod +s', 'chmod u+s', 'chmod 4???', 'chmod 6???', 'setcap *'],
  // What others have built on.
  ...['git push --force', 'git push --force-with-lease', 'git push --mirror'],
  ...['git push +*', 'git push --delete', 'git push :*', 'git push --prune'],
  ...['git filter-branch *', 'git filter-repo *', 'git update-ref -d'],
  ...['git reflog expire', 'git gc --prune=now', 'gh repo delete'],
  // Secrets.
  ...each(readers, '{secret}'),
  ...['* {secret}', ...each(copiers, '{keys}'), 'security find-*-password'],
  ...['security dump-keychain', 'gpg --export-secret-keys', 'ssh-add -L'],
  ...['gpg --export-secret-subkeys', 'secretsdump*', 'mimikatz*'],
  // What is run later on, by others.
  ...['> {startup}', ...each(writers, '{startup}'), 'sed -i {startup}'],
  ...['perl -i {startup}', 'curl -o {startup}', 'wget -O {startup}'],
  ...['sort -o {startup}', 'sudoedit {startup}'],
  ...['crontab *', 'at *', 'batch', 'visudo *', 'update-rc.d *'],
  ...['systemctl enable', 'systemctl disable', 'systemctl mask', 'launchctl *'],
  ...['systemctl stop', 'chkconfig *', 'insmod *', 'modprobe *', 'rmmod *'],
  // The machine, its users and its traces.
  ...['shutdown *', 'reboot *', 'halt *', 'poweroff *', 'init 0', 'init 6'],
  ...['telinit *', 'systemctl poweroff', 'systemctl reboot', 'systemctl halt'],
  ...['loginctl poweroff', 'loginctl reboot', 'kill -9 1', 'kill -KILL 1'],
  ...['systemctl kexec', 'systemctl rescue', 'systemctl emergency', 'kexec *'],
  ...['useradd *', 'adduser *', 'usermod *', 'userdel *', 'groupadd *'],
  ...['passwd *', 'chpasswd *', 'chsh *', 'gpasswd *', 'dscl *', 'deluser *'],
  ...['iptables *', 'ip6tables *', 'nft *', 'ufw *', 'pfctl *', 'setenforce *'],
  ...[
    'history -c',
    'history -w',
    'history -d',
    'set +o history',
    'unset HIST*',
  ],
  ...['export HIST*', 'declare HIST*', 'shopt -u histappend', 'auditctl *'],
  ...['sysctl -w', 'swapoff *', 'mount *', 'umount *', 'kill -9 -1', 'kill -1'],
  ...['kill -KILL -1', 'kill -s -1', 'killall5 *', 'csrutil *', 'spctl *'],
  ...['nc -e', 'ncat -e', 'netcat -e', 'nc -l', 'ncat -l', 'fuser -k'],
  ...['docker system prune', 'docker volume prune', 'docker run --privileged'],
  ...['kubectl delete', 'terraform destroy', 'tofu destroy', 'pulumi destroy'],
  ...['aws s3 rb', 'aws s3 rm --recursive', 'gcloud projects delete'],
  ...[
    'dropdb *',
    'redis-cli flushall',
    'redis-cli FLUSHALL',
    'mysqladmin drop',
  ],
  ...['npm publish', 'npm unpublish', 'cargo publish', 'twine upload'],
  ...['gem push'],
]
