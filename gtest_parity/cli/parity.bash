# Bash completion of `parity`. Words come from the command's own --help, so that they cannot be stale.

# The subcommands, or with `-` the options, that `parity WORD... --help` lists.
_parity_words() {
  local kind=$1 pattern='/^Subcommands:/ {listed = 1; next} listed && /^  [a-z]/ {print $1}'
  shift
  [ "$kind" = - ] && pattern='match($0, /--[a-z_]+/) {print substr($0, RSTART, RLENGTH)}'
  "$@" --help 2>/dev/null | awk "$pattern"
}

_parity() {
  local word=${COMP_WORDS[COMP_CWORD]} command=("${COMP_WORDS[0]}") i commands
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    _parity_words + "${command[@]}" | grep -qxF -e "${COMP_WORDS[i]}" && command+=("${COMP_WORDS[i]}")
  done
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_parity_words - "${command[@]}")" -- "$word")
    return
  fi
  commands=$(_parity_words + "${command[@]}")
  # Where there are no subcommands, an argument is a file: readline's own completion.
  [ -n "$commands" ] && mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
}

complete -o bashdefault -o default -F _parity parity
