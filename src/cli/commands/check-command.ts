/** `check`: settings, mappings and tables, offline: every finding with its place, before any file is read. */
import type { Command } from 'commander';
import { checkInstance, fixInstance, writeFixed } from '../../authoring/check-instance.ts';
import { readInstance } from '../../instance/instance.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isError, OperatorError } from '../../model/fault.ts';
import { showMarked } from '../../yaml/yaml-document.ts';
import { showChanges } from '../output/file-diff.ts';
import type { CommandModule } from '../session/command-module.ts';
import { terminalOf } from '../session/command-session.ts';
import { counted, table } from '../session/terminal.ts';

type Options = { readonly effective?: boolean; readonly fix?: boolean; readonly dryRun?: boolean };

export const checkCommand: CommandModule = { run: checkFiles };

function checkFiles(given: Options, command: Command): void {
  const { options, terminal } = terminalOf(command);
  const overrides = definedOnly({ variables: process.env, environment: options.env });
  if (given.dryRun && !given.fix) {
    throw new OperatorError('check/dry-run-alone', '--dry-run belongs to --fix', {
      hint: 'check itself changes nothing',
    });
  }
  const fixed = given.fix ? fixInstance(options.dir, overrides).files : [];
  if (!given.dryRun) writeFixed(options.dir, fixed);
  const { findings: found, mappings, endsOn } = checkInstance(options.dir, overrides);
  const findings = [...found, ...endsOn(new Date())];
  const errors = findings.filter(isError);
  const effective =
    given.effective && errors.length === 0 ? readInstance(options.dir, overrides).config.effective : undefined;
  const warnings = findings.length - errors.length;
  if (options.json) {
    const changes = fixed.flatMap(({ file, changes: lines }) => lines.map((line) => ({ file, ...line })));
    const told = given.fix ? { [given.dryRun ? 'fixable' : 'fixed']: changes } : {};
    const result = definedOnly({ errors: errors.length, warnings, findings, ...told, effective });
    terminal.out(JSON.stringify(result, null, 2));
  } else {
    for (const file of fixed) terminal.out(showChanges(file.file, file.changes));
    for (const finding of findings) terminal.out(showMarked(finding));
    if (effective) terminal.out(shownSettings(effective));
    const sum = `${counted(errors.length, 'error')}, ${counted(warnings, 'warning')}`;
    const count = counted(fixed.flatMap(({ changes }) => changes).length, 'line');
    const done = given.fix ? `${count} ${given.dryRun ? 'could be fixed' : 'fixed'}; ` : '';
    terminal.talk(`${done}${sum} in the settings and ${counted(mappings, 'mapping')}`);
  }
  process.exitCode = errors.length > 0 ? 2 : 0;
}

function shownSettings(effective: ReturnType<typeof readInstance>['config']['effective']): string {
  const rows = effective.map(({ path, value, source }) => [path, JSON.stringify(value), source]);
  return table([{ title: 'setting' }, { title: 'value' }, { title: 'from' }], rows);
}
