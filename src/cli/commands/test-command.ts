/**
 * `test`: runs the tests in mapping files and shows every difference; exit code 2 if one fails. With --update it writes
 * the current results into the files first; --dry-run shows these changes only.
 */
import type { Command } from 'commander';
import { type TestUpdate, updateTests, writeUpdates } from '../../authoring/update-tests.ts';
import { writeExpectedAnswers } from '../../authoring/write-expected-answers.ts';
import { MAPPING_TEST, MAPPING_TEST_COUNT } from '../../i18n/messages/cli-mappings-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { runAllMappingTests } from '../../views/preview/run-mapping-tests.ts';
import { showChanges } from '../output/file-diff.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import { green, red, yellow } from '../session/terminal.ts';

type Options = { readonly update?: boolean; readonly updateErrors?: boolean; readonly dryRun?: boolean };
type Results = Awaited<ReturnType<typeof runAllMappingTests>>;

export const testCommand: CommandModule = { run: runTests };

/** --dry-run without an update throws `test/dry-run-alone`. */
async function runTests(ids: string[], given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  const isUpdate = given.update === true || given.updateErrors === true;
  if (given.dryRun && !isUpdate) {
    const hint = MAPPING_TEST.testChangesNothing();
    throw new OperatorError('test/dry-run-alone', MAPPING_TEST.dryRunAlone(), { hint });
  }
  const updates = isUpdate ? await update(session, ids, given) : [];
  const answers = isUpdate && !given.dryRun ? await writeExpectedAnswers(session.instance, ids) : [];
  for (const path of answers) session.terminal.talk(`  ${session.say(MAPPING_TEST.answersWritten({ path }))}`);
  // Read again: an update changes the mappings.
  const { instance } = updates.length > 0 && !given.dryRun ? openSession(command) : session;
  const results = await runAllMappingTests(instance, ids);
  if (session.options.json) session.terminal.out(JSON.stringify(dataOf(results, updates), null, 2));
  else show(session, results, updates);
  process.exitCode = exitCodeIf(countFailed(results) > 0, 2);
}

/** The changes that are written, or would be; tests with errors change only with --update-errors. */
async function update({ instance }: Session, ids: readonly string[], given: Options): Promise<readonly TestUpdate[]> {
  const updates = await updateTests(instance, ids, { errors: given.updateErrors === true });
  if (!given.dryRun) writeUpdates(instance, updates);
  return updates;
}

/** The object of --json: results alone, or results with the changed files. */
function dataOf(results: Results, updates: readonly TestUpdate[]): object {
  if (updates.length === 0) return results;
  const changed = updates.map(({ mapping, file, updated, refused, changes }) => {
    return { mapping, file, updated, refused, changes };
  });
  return { results, updates: changed };
}

function countFailed(results: Results): number {
  return results.filter(({ differences }) => differences.length > 0).length;
}

function show({ terminal, say }: Session, results: Results, updates: readonly TestUpdate[]): void {
  for (const { file, changes } of updates) if (changes.length > 0) terminal.out(showChanges(file, changes));
  const notUpdated = yellow(say(MAPPING_TEST.notUpdated()));
  for (const { mapping, refused } of updates) {
    for (const { name, why } of refused) terminal.out(`  ${notUpdated}  ${mapping}: ${name}: ${why}`);
  }
  const signs = { passed: green(say(MAPPING_TEST.passed())), failed: red(say(MAPPING_TEST.failed())) };
  for (const { mapping, name, differences } of results) {
    terminal.out(`  ${signs[differences.length === 0 ? 'passed' : 'failed']}  ${mapping}: ${name}`);
    for (const difference of differences) terminal.out(`        ${difference}`);
  }
  const failed = countFailed(results);
  const summary = MAPPING_TEST.summary({ passed: results.length - failed, failed });
  const count = updates.reduce((sum, { updated }) => sum + updated.length, 0);
  terminal.talk(say(updates.length > 0 ? MAPPING_TEST_COUNT.updated({ count, summary }) : summary));
}
