/** `check`: settings, mappings and tables, offline: every finding with its place, before any file is read. */
import type { Command } from 'commander';
import { loadMappings, readCheckedConfig, readInstance } from '../instance.ts';
import { type Fault, isError, SetupError } from '../model/fault.ts';
import { showMarked } from '../model/yaml-file.ts';
import { terminalOf } from './session.ts';
import { counted, table } from './terminal.ts';

export function addCheck(program: Command): void {
  program
    .command('check')
    .description('check settings, mappings and tables; nothing is read from the inbox and nothing is sent')
    .option('--effective', 'print every setting in force and where it comes from')
    .action((given: { readonly effective?: boolean }, command: Command) => {
      const { options, terminal } = terminalOf(command);
      const overrides = { variables: process.env, ...(options.env === undefined ? {} : { environment: options.env }) };
      const findings: Fault[] = [];
      try {
        readCheckedConfig(options.dir, overrides);
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        if (error.faults.length === 0) throw error;
        findings.push(...error.faults);
      }
      const { read, faults } = loadMappings(options.dir);
      findings.push(...faults);
      const errors = findings.filter(isError);
      if (options.json) {
        const effective =
          given.effective && errors.length === 0
            ? { effective: readInstance(options.dir, overrides).config.effective }
            : {};
        const warnings = findings.length - errors.length;
        terminal.out(JSON.stringify({ errors: errors.length, warnings, findings, ...effective }, null, 2));
      } else {
        for (const finding of findings) terminal.out(showMarked(finding));
        if (given.effective && errors.length === 0) showEffective(readInstance(options.dir, overrides), terminal.out);
        const found = `${counted(errors.length, 'error')}, ${counted(findings.length - errors.length, 'warning')}`;
        terminal.talk(`${found} in the settings and ${counted(read, 'mapping')}`);
      }
      process.exitCode = errors.length > 0 ? 2 : 0;
    });
}

function showEffective({ config }: ReturnType<typeof readInstance>, out: (text: string) => void): void {
  const rows = config.effective.map(({ path, value, source }) => [path, JSON.stringify(value), source]);
  out(table([{ title: 'setting' }, { title: 'value' }, { title: 'from' }], rows));
}
