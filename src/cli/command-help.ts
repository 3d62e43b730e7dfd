/**
 * --help in the language of the person. Commander formats; titles and descriptions come from
 * locales/<language>/cli-commands.yaml. A missing text of a command throws, because that is a bug.
 */
import { type Argument, type Command, Help, type HelpConfiguration, type Option } from 'commander';
import type { Language } from '../i18n/message.ts';
import { COMMANDS, termOf } from './command-table.ts';
import type { TypedValue } from './session/command-module.ts';
import { actText, commandText, findCommandText, itemText } from './session/command-texts.ts';

/** Titles as commander passes them to `styleTitle` -> keys of `help` in cli-commands.yaml. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['Usage:', 'usage'],
  ['Arguments:', 'arguments'],
  ['Options:', 'options'],
  ['Global Options:', 'globalOptions'],
  ['Commands:', 'commands'],
]);

/** The help of one option or argument. */
type ItemHelp = {
  readonly text: string;
  /** Choices that have a text each. */
  readonly choices: readonly { readonly name: string; readonly text: string }[];
};

/**
 * `name` is without dashes and brackets. Choices without texts of their own, and the default, are in parentheses after
 * the text; choices with texts come separately.
 */
export function itemHelp(language: Language, command: string, name: string, value: TypedValue = {}): ItemHelp {
  const choices = (value.choices ?? []).map((choice) => ({
    name: choice,
    text: findCommandText(language, `command.${command}.${name}=${choice}`) ?? '',
  }));
  const named = choices.filter(({ text }) => text !== '');
  const notes: string[] = [];
  if (value.choices && named.length === 0) {
    notes.push(commandText(language, 'help.choices', { choices: value.choices.join(', ') }));
  }
  if (value.default !== undefined) notes.push(commandText(language, 'help.default', { value: String(value.default) }));
  const text = itemText(language, command, name);
  return { text: notes.length === 0 ? text : `${text} (${notes.join('; ')})`, choices: named };
}

/** The command that a command is an act of; undefined for a command of the program. */
function actOf({ parent }: Command): string | undefined {
  return parent?.parent ? parent.name() : undefined;
}

/** The key of its texts: `ledger-restore` for an act. */
function keyOf(shown: Command): string {
  const of = actOf(shown);
  return of === undefined ? shown.name() : `${of}-${shown.name()}`;
}

function doesOf(language: Language, shown: Command): string {
  const of = actOf(shown);
  return of === undefined ? commandText(language, `command.${shown.name()}.does`) : actText(language, of, shown.name());
}

/**
 * The configuration for commander. `languageOf` is asked at printing time, because --dir is known only then; `valuesOf`
 * gives the typed values of a loaded command.
 */
export function helpConfiguration(
  languageOf: () => Language,
  valuesOf: (command: string) => { readonly [name: string]: TypedValue },
): HelpConfiguration {
  let command = '';
  /** The values of an act are those of its command. */
  let values: ReturnType<typeof valuesOf> = {};
  const describe = (name: string) => {
    const { text, choices } = itemHelp(languageOf(), command, name, values[name]);
    return [text, ...choices.map((choice) => `${choice.name}: ${choice.text}`)].join('\n');
  };
  return {
    sortSubcommands: false,
    showGlobalOptions: true,
    // Options have no link to their command, so the command is kept while its help is formatted.
    formatHelp(shown: Command, helper: Help) {
      command = keyOf(shown);
      values = valuesOf(actOf(shown) ?? command);
      return Help.prototype.formatHelp.call(helper, shown, helper);
    },
    styleTitle: (title: string) => commandText(languageOf(), `help.${TITLES.get(title)}`),
    commandUsage: (shown: Command) =>
      shown.parent && shown.commands.length > 0
        ? `${shown.parent.name()} ${shown.name()} ${shown.registeredArguments.map((one) => `<${one.name()}>`)[0] ?? ''}`
        : new Help().commandUsage(shown),
    commandDescription: (shown: Command) =>
      shown.parent ? doesOf(languageOf(), shown) : commandText(languageOf(), 'help.program'),
    subcommandTerm: (shown: Command) => {
      const entry = COMMANDS.flatMap((one) => [one, ...(one.acts ?? []).map((act) => ({ ...act, of: one.name }))]).find(
        (one) => one.name === shown.name() && ('of' in one ? one.of : undefined) === actOf(shown),
      );
      return entry ? termOf(entry) : `${shown.name()} [command]`;
    },
    subcommandDescription: (shown: Command) => doesOf(languageOf(), shown),
    optionDescription: (option: Option) => describe(option.long?.slice(2) ?? ''),
    // The acts of a command are listed as commands.
    visibleArguments: (shown: Command) =>
      shown.parent && shown.commands.length > 0 ? [] : [...shown.registeredArguments],
    argumentDescription: (argument: Argument) => describe(argument.name()),
  };
}
