/**
 * `completion SHELL`: prints the script that completes commands, options and fixed values in a shell. It is made of the
 * command table, so it knows what --help knows. Reads nothing of an instance.
 */
import type { Command } from 'commander';
import { SERVICES } from '../../../catalogue.ts';
import { STATE_BY_CODE } from '../../../model/answer.ts';
import { answerCause, SET_ASIDE_CAUSE } from '../../../model/cause.ts';
import { HOLD_RULES } from '../../../model/document.ts';
import { STATE_NAMES } from '../../../model/state.ts';
import { faultCatalogue } from '../../../reference/fault-catalogue.ts';
import { type CommandEntry, isOption, nameOfItem } from '../../session/command-entry.ts';
import type { CommandModule, TypedValue } from '../../session/command-module.ts';
import { openOutput } from '../../session/command-session.ts';
import { commandText } from '../../session/command-texts.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** The command for a table: it completes everything in it. */
export function completionCommandFor(
  commands: readonly CommandEntry[],
  globalOptions: readonly string[],
): CommandModule {
  const values = { shell: { choices: SHELLS } };
  return {
    values,
    run: async (shell: (typeof SHELLS)[number], _given: unknown, command: Command) => {
      const { terminal, options, language } = openOutput(command);
      const table: Table = {
        commands: await Promise.all(
          commands
            .flatMap((entry) => (entry.alias === undefined ? [entry] : [entry, { ...entry, name: entry.alias }]))
            .map((entry) => describeEntry(entry, entry.name === 'completion' ? values : undefined)),
        ),
        global: [...globalOptions.flatMap(spellings), '--help'],
        withValue: globalOptions.filter((item) => item.includes('<')).flatMap(spellings),
      };
      const nameOf = (name: string) => commands.find(({ alias }) => alias === name)?.name ?? name;
      const does = (name: string) => commandText(language, `command.${nameOf(name)}.does`);
      const script = WRITERS[shell](table, does);
      terminal.data(options.json ? JSON.stringify({ shell, script }, null, 2) : script.trimEnd());
    },
  };
}

/** What the scripts are made of; `withValue` are global options whose value is not the command. */
type Table = {
  readonly commands: readonly Completed[];
  readonly global: readonly string[];
  readonly withValue: readonly string[];
};

/** What a shell completes of one command: its options, and the values that are fixed. */
type Completed = {
  readonly name: string;
  /** `--state`, `-y`: all spellings. */
  readonly options: readonly string[];
  /** Option with two dashes -> values. */
  readonly values: { readonly [option: string]: readonly string[] };
  /** Values of the first argument. */
  readonly argument: readonly string[];
};

type Does = (command: string) => string;

async function describeEntry({ name, takes, load }: CommandEntry, known: CommandModule['values']): Promise<Completed> {
  const typed: { readonly [name: string]: TypedValue } = known ?? (await load()).values ?? {};
  const choicesOf = (item: string) =>
    typed[nameOfItem(item)]?.choices ?? (nameOfItem(item) === 'cause' ? knownCauses() : []);
  const options = takes.filter(isOption);
  const [argument] = takes.filter((item) => !isOption(item));
  const fixed = options.filter((item) => choicesOf(item).length > 0);
  return {
    name,
    options: options.flatMap(spellings),
    values: Object.fromEntries(fixed.map((item) => [`--${nameOfItem(item)}`, choicesOf(item)])),
    argument: argument === undefined ? [] : choicesOf(argument),
  };
}

/** What `--cause` takes without a look into the ledger: codes of errors, hold rules, answers of services, states. */
function knownCauses(): readonly string[] {
  const codes = faultCatalogue().filter(({ level, code }) => level === 'error' && code.includes('/'));
  const answers = SERVICES.flatMap(({ name }) => [...STATE_BY_CODE.keys()].map((code) => answerCause(name, code)));
  return [SET_ASIDE_CAUSE, ...HOLD_RULES, ...STATE_NAMES, ...answers, ...codes.map(({ code }) => code)];
}

/** The ids in the mapping files of the instance, which no script can know. */
const MAPPING_IDS = "-name '*.yaml' -exec sed -n 's/^mapping: *//p' {} + 2>/dev/null";

/** `-y` and `--yes` of `-y, --yes`. */
function spellings(item: string): readonly string[] {
  return item.match(/(?<![\w-])--?[\w-]+/g) ?? [];
}

function bashScript({ commands, global, withValue }: Table): string {
  const names = commands.map(({ name }) => name).join(' ');
  const values = commands.flatMap(({ name, values: of }) =>
    Object.entries(of).map(([option, choices]) => `    '${name} ${option}') words='${choices.join(' ')}' ;;`),
  );
  const options = commands.map(({ name, options: of, argument }) => {
    return `      ${name}) words='${[...argument, ...of, ...global].join(' ')}' ;;`;
  });
  return `_nightpost() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' words='' dir=. i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      -C|--dir) ((i++)); dir=\${COMP_WORDS[i]} ;;
      ${withValue.join('|')}) ((i++)) ;;
      -*) ;;
      *) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  COMPREPLY=()
  case "$command $prev" in
${values.join('\n')}
    *' --mapping') words=$(find "$dir/mappings" ${MAPPING_IDS}) ;;
  esac
  if [[ -z $words ]]; then
    case "$command" in
      '') words='${names} ${global.join(' ')}' ;;
${options.join('\n')}
    esac
  fi
  case $prev in ${withValue.filter((one) => one !== '--env').join('|')}) words='' ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _nightpost nightpost
`;
}

/** zsh runs the function of bash. */
function zshScript(table: Table): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(table)}`;
}

function fishScript({ commands, global }: Table, does: Does): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const option = (spelled: string) => (spelled.startsWith('--') ? `-l ${spelled.slice(2)}` : `-s ${spelled.slice(1)}`);
  const lines = commands.flatMap(({ name, options, values, argument }) => {
    const seen = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c nightpost -n __fish_use_subcommand -a ${name} -d ${quoted(does(name))}`,
      ...argument.map((value) => `complete -c nightpost ${seen} -a ${value}`),
      ...options.map((one) => {
        const fixed = values[one];
        return `complete -c nightpost ${seen} ${option(one)}${fixed ? ` -x -a ${quoted(fixed.join(' '))}` : ''}`;
      }),
    ];
  });
  const ids = `complete -c nightpost -l mapping -x -a "(find mappings ${MAPPING_IDS})"`;
  return [ids, ...global.map((one) => `complete -c nightpost ${option(one)}`), ...lines, ''].join('\n');
}

function powershellScript({ commands, global }: Table): string {
  const list = (all: readonly string[]) => `@(${all.map((one) => `'${one}'`).join(', ')})`;
  const options = commands.map(({ name, options: of, argument }) => `    '${name}' = ${list([...argument, ...of])}`);
  const values = commands.flatMap(({ name, values: of }) =>
    Object.entries(of).map(([option, choices]) => `    '${name} ${option}' = ${list(choices)}`),
  );
  return `Register-ArgumentCompleter -Native -CommandName nightpost -ScriptBlock {
  param($word, $ast, $position)
  $options = @{
${options.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $typed = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -ne $word })
  $command = $typed | Where-Object { $options.ContainsKey($_) } | Select-Object -First 1
  $last = $typed | Select-Object -Last 1
  if (-not $command) { $words = @($options.Keys) }
  elseif ($last -eq '--mapping') { $words = @(Get-ChildItem mappings -Filter *.yaml -ErrorAction Ignore | Select-String '^mapping:\\s*(\\S+)' | ForEach-Object { $_.Matches[0].Groups[1].Value }) }
  elseif ($values.ContainsKey("$command $last")) { $words = $values["$command $last"] }
  else { $words = $options[$command] + ${list(global)} }
  $words | Where-Object { $_ -like "$word*" } | Sort-Object | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}

const WRITERS = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };
