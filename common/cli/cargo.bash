# Leaves in `at` which word picks a command of cargo's, behind rustup's and cargo's own options.
_cargo_suite_find() {
  at=1
  while [[ ${COMP_WORDS[at]} == [-+]* ]]; do
    local option=${COMP_WORDS[at++]}
    [[ $option == @(--color|--config|--explain|-C|-Z) && ${COMP_WORDS[at]} != = ]] && ((at++))
    # readline makes three words of --color=always.
    while [[ ${COMP_WORDS[at]} == = ]]; do ((at += 2)); done
  done
}
# The names of what cargo builds here: of targets of a kind, or of packages, whose names stand before "version".
# What else a name may hold compgen would expand. No toolchain that a project asks for is fetched for it.
_cargo_suite_names() {
  env RUSTUP_AUTO_INSTALL=0 cargo metadata --no-deps --offline --format-version 1 2>/dev/null |
    sed 's/{"\(kind\|name\)":/\n&/g' |
    sed -nE 's/^\{"kind":\["('"$1"')"[^]]*\],"crate_types":\[[^]]*\],"name":"([[:alnum:]_.-]+)".*/\2/p; s/^\{"name":"([[:alnum:]_.-]+)","('"$1"')":.*/\1/p'
}
# Completes "cargo cprof", "cargo bloatc" and "cargo llvmlines" as the programs are; all else of cargo as before.
_cargo_suite() {
  local at
  _cargo_suite_find
  local verb=${COMP_WORDS[at]}
  if ((at < COMP_CWORD)) && [[ $verb == @(cprof|bloatc|llvmlines) ]]; then
    declare -F "_cargo_$verb" >/dev/null || source <(command "cargo-$verb" --generate bash 2>/dev/null)
    compopt -o filenames +o nospace
    "_cargo_$verb" 2>/dev/null
  elif [[ $_cargo_before_suite ]]; then
    "$_cargo_before_suite" "$@"
  elif [[ $(complete -p -D 2>/dev/null) =~ ' -F '([^ ]+) ]]; then
    # What bash-completion finds for cargo takes our place; 124 asks again, with it.
    "${BASH_REMATCH[1]}" "$@"
    _cargo_suite_precede
    [[ $_cargo_before_suite ]] && return 124
  fi
}
# Takes the place of what completes cargo now, with its options, and keeps its function.
_cargo_suite_precede() {
  local now=$(complete -p cargo 2>/dev/null)
  if [[ $now == *' -F _cargo_suite '* ]]; then
    return
  elif [[ $now =~ ' -F '([^ ]+) ]]; then
    _cargo_before_suite=${BASH_REMATCH[1]}
    eval "${now/" -F $_cargo_before_suite "/ -F _cargo_suite }"
  else
    complete -o default -F _cargo_suite cargo
  fi
}
_cargo_suite_precede
