/**
 * `explain NAME`: the meaning of a fault code, rule, state, setting, function or field, and what to do; without a name
 * the list of codes. Needs no instance; an unknown name throws `explain/unknown-name`.
 */
import type { Command } from 'commander';
import type { Language } from '../../i18n/message.ts';
import { EXPLAIN_COMMAND } from '../../i18n/messages/cli-mappings-messages.ts';
import { EXPLAIN } from '../../i18n/messages/reference-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { explain, type Topic } from '../../reference/explain-fault.ts';
import { faultCatalogue } from '../../reference/fault-catalogue.ts';
import { greatestOf } from '../../text/long-lists.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openOutput } from '../session/command-session.ts';
import { commandText } from '../session/command-texts.ts';
import { EXIT_CODES } from '../session/exit-codes.ts';
import { bold, dim } from '../session/terminal.ts';

export const explainCommand: CommandModule = { run: explainName };

function explainName(name: string | undefined, _given: unknown, command: Command): void {
  const { options, terminal, language, say } = openOutput(command);
  if (name === undefined) {
    const codes = faultCatalogue(language);
    terminal.out(options.json ? JSON.stringify(codes, null, 2) : listed(codes));
    return;
  }
  const found = explain(name, language, exitCodeTopics(language, say(EXPLAIN.exitCode())));
  terminal.out(
    options.json
      ? JSON.stringify(found, null, 2)
      : found.map((topic) => shown(topic, say(EXPLAIN_COMMAND.whatToDo()))).join('\n\n'),
  );
}

/** A topic for each exit code; `of` is the line under which they are printed. */
function exitCodeTopics(language: Language, of: string): readonly Topic[] {
  return EXIT_CODES.map((code) => {
    return {
      kind: 'exit-code',
      name: String(code),
      of,
      meaning: commandText(language, `exit-code.${code}`),
      examples: [],
    };
  });
}

/** The codes by the sections of the manual, each with the first sentence of its meaning. */
function listed(codes: ReturnType<typeof faultCatalogue>): string {
  const widest = greatestOf(codes.map(({ code }) => code.length));
  const sections = [...new Set(codes.map(({ section }) => section))];
  return sections
    .flatMap((section) => [
      bold(`  ${section}`),
      ...codes
        .filter((one) => one.section === section)
        .map(({ code, meaning }) => `    ${code.padEnd(widest)}  ${dim(firstSentence(meaning))}`),
    ])
    .join('\n');
}

function firstSentence(text: string): string {
  return /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

/** One meaning on a few lines: title, meaning, remedy, examples. */
function shown({ name, of, meaning, remedy, examples }: Topic, whatToDo: string): string {
  return definedItems([
    `  ${bold(name)}   ${dim(of)}`,
    meaning === '' ? undefined : `  ${meaning}`,
    remedy === undefined ? undefined : `  ${bold(whatToDo)} ${remedy}`,
    ...examples.flatMap((example) => example.split('\n')).map((line) => `    ${line}`),
  ]).join('\n');
}
