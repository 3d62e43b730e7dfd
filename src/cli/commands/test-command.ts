/** `test`: runs the tests that mapping files carry and shows every difference; with --update, writes what is so now. */
import type { Command } from 'commander';
import { type TestUpdate, updateTests, writeUpdates } from '../../authoring/update-tests.ts';
import { OperatorError } from '../../model/fault.ts';
import { runAllMappingTests } from '../../pipeline/preview/run-mapping-tests.ts';
import { showChanges } from '../output/file-diff.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { counted, green, red, yellow } from '../session/terminal.ts';

type Options = { readonly update?: boolean; readonly updateErrors?: boolean; readonly dryRun?: boolean };
type Results = Awaited<ReturnType<typeof runAllMappingTests>>;

export const testCommand: CommandModule = { run: runTests };

async function runTests(ids: string[], given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  const isUpdate = given.update === true || given.updateErrors === true;
  if (given.dryRun && !isUpdate) {
    throw new OperatorError('test/dry-run-alone', '--dry-run belongs to --update', {
      hint: 'a test itself changes nothing',
    });
  }
  const updates = isUpdate ? await update(session, ids, given) : [];
  // Read anew: the mappings are no longer those of the start.
  const { instance } = updates.length > 0 && !given.dryRun ? openSession(command) : session;
  show(session, await runAllMappingTests(instance, ids), updates);
}

async function update({ instance }: Session, ids: readonly string[], given: Options): Promise<readonly TestUpdate[]> {
  const updates = await updateTests(instance, ids, { errors: given.updateErrors === true });
  if (!given.dryRun) writeUpdates(instance, updates);
  return updates;
}

function show({ options, terminal }: Session, results: Results, updates: readonly TestUpdate[]): void {
  const failed = results.filter(({ differences }) => differences.length > 0);
  if (options.json) {
    const told = updates.map(({ mapping, file, updated, refused, changes }) => ({
      mapping,
      file,
      updated,
      refused,
      changes,
    }));
    terminal.out(JSON.stringify(updates.length > 0 ? { results, updates: told } : results, null, 2));
  } else {
    for (const { file, changes } of updates) if (changes.length > 0) terminal.out(showChanges(file, changes));
    for (const { mapping, refused } of updates) {
      for (const { name, why } of refused) terminal.out(`  ${yellow('not updated')}  ${mapping}: ${name}: ${why}`);
    }
    for (const { mapping, name, differences } of results) {
      terminal.out(`  ${differences.length === 0 ? green('ok') : red('FAILED')}  ${mapping}: ${name}`);
      for (const difference of differences) terminal.out(`        ${difference}`);
    }
    const count = updates.reduce((sum, { updated }) => sum + updated.length, 0);
    const done = updates.length > 0 ? `${counted(count, 'test')} updated; ` : '';
    terminal.talk(`${done}${results.length - failed.length} passed, ${failed.length} failed`);
  }
  process.exitCode = failed.length > 0 ? 2 : 0;
}
