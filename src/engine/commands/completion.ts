/** Shell completion of a program: its commands from their table, and the options that the help of a command names. */

const SHELLS = ['bash', 'zsh', 'fish'];

/** The script for a shell, to be sourced: `source <(garden completion bash)`. Throws for another shell. */
export function completionFor(name: string, commands: Readonly<Record<string, { does: string }>>, shell = ''): string {
  const names = Object.keys(commands);
  const options = (command: string): string =>
    `${name} "${command}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u`;
  const id = `_${name.replaceAll(/\W/g, '_')}`;
  const bash = `${id}() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  case $COMP_CWORD,$word in
  1,*) COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$word")) ;;
  *,-*) COMPREPLY=($(compgen -W "$(${options('${COMP_WORDS[1]}')})" -- "$word")) ;;
  *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -F ${id} ${name}`;
  if (shell === 'bash') return bash;
  if (shell === 'zsh') return `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bash}`;
  if (shell !== 'fish')
    throw new Error(`expected ${name} completion ${SHELLS.join('|')}, got ${JSON.stringify(shell)}`);
  const rows = Object.entries(commands).map(
    ([command, { does }]) =>
      `complete -c ${name} -f -n __fish_use_subcommand -a ${command} -d '${does.replaceAll("'", "\\'")}'`,
  );
  return `${rows.join('\n')}\ncomplete -c ${name} -n 'not __fish_use_subcommand' -a '(set -l words (commandline -opc); ${options('$words[2]')})'`;
}
