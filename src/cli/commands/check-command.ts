/**
 * `check`: checks settings, mappings and tables offline, before any export is read. Output: every finding with its
 * place. Exit code 2 if there is an error. `--fix` corrects what has one correction; `--dry-run` shows that only.
 */
import type { Command } from 'commander';
import { checkInstance, fixInstance, writeFixed } from '../../authoring/check-instance.ts';
import type { Message } from '../../i18n/message.ts';
import { CHECK_COMMAND, CHECK_COUNT } from '../../i18n/messages/cli-mappings-messages.ts';
import { readInstance } from '../../instance/instance.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isError, localize, OperatorError } from '../../model/fault.ts';
import { showMarked } from '../../yaml/yaml-document.ts';
import { table } from '../layout/layout.ts';
import { showChanges } from '../output/file-diff.ts';
import type { CommandModule } from '../session/command-module.ts';
import { type CommandOutput, openOutput, overridesOf } from '../session/command-session.ts';
import { exitCodeIf } from '../session/exit-codes.ts';

type Options = { readonly effective?: boolean; readonly fix?: boolean; readonly dryRun?: boolean };

export const checkCommand: CommandModule = { run: checkFiles };

/** Corrections are written first, so the findings are those that remain. */
function checkFiles(given: Options, command: Command): void {
  const output = openOutput(command);
  const { dir } = output.options;
  const overrides = overridesOf(output.options);
  if (given.dryRun && !given.fix) {
    const hint = CHECK_COMMAND.checkChangesNothing();
    throw new OperatorError('check/dry-run-alone', CHECK_COMMAND.dryRunAlone(), { hint });
  }
  const fixed = given.fix ? fixInstance(dir, overrides).files : [];
  if (!given.dryRun) writeFixed(dir, fixed);
  const { findings: found, mappings, endsOn } = checkInstance(dir, overrides);
  const findings = localize([...found, ...endsOn(new Date())], output.language);
  const isSound = !findings.some(isError);
  const effective =
    given.effective && isSound ? readInstance(dir, { ...overrides, looks: true }).config.effective : undefined;
  show(output, { findings, mappings, fixed, effective }, given);
  process.exitCode = exitCodeIf(!isSound, 2);
}

/** What is shown; `effective` only without errors, because settings with errors have no values. */
type Checked = Pick<ReturnType<typeof checkInstance>, 'findings' | 'mappings'> & {
  readonly fixed: ReturnType<typeof fixInstance>['files'];
  readonly effective: EffectiveSettings | undefined;
};
type EffectiveSettings = ReturnType<typeof readInstance>['config']['effective'];

function show(
  output: CommandOutput,
  { findings, mappings, fixed, effective }: Checked,
  { fix, dryRun }: Options,
): void {
  const { options, terminal, say } = output;
  const errors = findings.filter(isError).length;
  const warnings = findings.length - errors;
  const changes = fixed.flatMap(({ file, changes: lines }) => lines.map((line) => ({ file, ...line })));
  const done = dryRun ? 'fixable' : 'fixed';
  if (options.json) {
    const changed = { [done]: fix ? changes : undefined };
    terminal.out(JSON.stringify(definedOnly({ errors, warnings, findings, ...changed, effective }), null, 2));
    return;
  }
  for (const { file, changes: lines } of fixed) terminal.out(showChanges(file, lines));
  for (const finding of findings) terminal.out(showMarked(finding));
  if (effective) terminal.out(settingsTable(effective, say));
  const summary = CHECK_COMMAND.summary({
    errors: CHECK_COUNT.errors({ count: errors }),
    warnings: CHECK_COUNT.warnings({ count: warnings }),
    mappings: CHECK_COUNT.mappings({ count: mappings }),
  });
  terminal.talk(say(fix ? CHECK_COUNT[done]({ count: changes.length, summary }) : summary));
}

/** Each setting with its value as JSON and its source. */
function settingsTable(effective: EffectiveSettings, say: (message: Message) => string): string {
  const rows = effective.map(({ path, value, source }) => [path, JSON.stringify(value), source]);
  const { setting, value, source } = CHECK_COMMAND;
  return table(
    [setting, value, source].map((title) => ({ title: say(title()) })),
    rows,
  );
}
