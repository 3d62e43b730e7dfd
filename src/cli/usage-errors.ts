/**
 * Translates usage errors of commander, which has them in English only: its printed text comes in, lines in the
 * language of the person come out. A text that no pattern knows stays in English.
 */
import type { Language } from '../i18n/message.ts';
import { escapeControls } from '../text/printable.ts';
import { commandText } from './session/command-texts.ts';

/** What commander prints -> the text in `usage` of cli-commands.yaml; groups of the pattern are its values. */
const ERRORS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^error: unknown option '(?<option>.*)'$/s, 'unknownOption'],
  [/^error: unknown command '(?<name>.*)'$/s, 'unknownCommand'],
  [/^error: missing required argument '(?<name>.*)'$/s, 'missingArgument'],
  [/^error: option '(?<option>.*)' argument missing$/s, 'missingValue'],
  [/^error: required option '(?<option>.*)' not specified$/s, 'missingOption'],
  [
    /^error: too many arguments.*?\. Expected (?<expected>\d+) arguments? but got (?<received>\d+): (?<values>.*)\.$/s,
    'tooMany',
  ],
  [/^error: option '(?<option>.*?)' argument '(?<value>.*)' is invalid\. (?<why>.*)$/s, 'invalidOption'],
  [
    /^error: command-argument value '(?<value>.*)' is invalid for argument '(?<name>.*?)'\. (?<why>.*)$/s,
    'invalidArgument',
  ],
];

/**
 * `printed` has its suggestion on a line of its own. The result escapes controls in typed text and ends with a hint to
 * --help.
 */
export function usageError(printed: string, language: Language): string {
  const [error = '', near] = printed.trimEnd().split(/\n\(Did you mean (?:one of )?([^\n]*)\?\)$/);
  const lines = [escapeControls(translated(error, language))];
  if (near !== undefined) lines.push(escapeControls(commandText(language, 'usage.didYouMean', { near })));
  return [...lines, commandText(language, 'usage.seeHelp')].join('\n');
}

/** As it is where no text is known for it. */
function translated(error: string, language: Language): string {
  for (const [pattern, text] of ERRORS) {
    const groups = pattern.exec(error)?.groups;
    if (groups) return commandText(language, `usage.${text}`, groups);
  }
  return error;
}
