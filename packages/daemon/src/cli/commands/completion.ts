import type { Command, CommandEntry } from '../command.ts'
import { bashScript } from '../completion/bash-script.ts'
import { describeWords } from '../completion/describe-words.ts'
import { fishScript } from '../completion/fish-script.ts'
import { zshScript } from '../completion/zsh-script.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

function isShell(name: string): name is keyof typeof scripts {
  return Object.hasOwn(scripts, name)
}

/** Of all commands, itself among them. */
export const completionOf = (entries: readonly CommandEntry[]): Command => ({
  about: 'Load the script when your shell starts, as the examples show.',
  arguments: [
    {
      name: '<shell>',
      about: 'The shell that you use.',
      choices: Object.keys(scripts),
    },
  ],
  examples: [
    {
      command: "echo 'source <(hookline completion bash)' >> ~/.bashrc",
      about: 'For bash.',
    },
    {
      command: 'hookline completion zsh > "$fpath[1]/_hookline"',
      about: 'For zsh.',
    },
    {
      command:
        'hookline completion fish > ~/.config/fish/completions/hookline.fish',
      about: 'For fish.',
    },
  ],
  async run({ args, output }) {
    const [shell = ''] = args
    const words = await describeWords(entries)
    if (isShell(shell)) output.write(scripts[shell](words))
    return undefined
  },
})
