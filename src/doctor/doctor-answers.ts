/**
 * Checks the folders that answers to the ERP go to: each has a path in the settings and can be written to. A file is made
 * and removed; delays that the ledger has recorded are shown, and answers of mappings that are gone.
 */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { errnoName, isOutOfRoom } from '../files/errno-name.ts';
import { DOCTOR_ANSWERS, DOCTOR_CHECK } from '../i18n/messages/doctor-messages.ts';
import { ANSWERS_STATE } from '../i18n/messages/report/report-answers-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { OperatorError } from '../model/fault.ts';
import { answerFolderPath } from '../pipeline/answers/answer-folders.ts';
import { lookIntoLedgerOf } from '../runs/open-run.ts';
import { fieldMessages, leftAnswers } from '../views/queries/reported-answers.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

/** About as much as a small answer file takes. */
const PROBE_BYTES = 4 * 1024;

/** A warning where answers wait or lack fields: documents are sent all the same. */
export async function answerChecks(instance: Instance): Promise<DoctorCheck[]> {
  const names = new Set(instance.mappings.flatMap(({ answers }) => answers.map(({ to }) => to)));
  return [...[...names].map((name) => checkFolder(instance, name)), ...(await recordedChecks(instance))];
}

/** What the last rounds of answers met. A ledger that does not open is a finding of its own check. */
async function recordedChecks(instance: Instance): Promise<DoctorCheck[]> {
  const what = DOCTOR_CHECK.answers();
  try {
    await using ledger = await lookIntoLedgerOf(instance);
    const { delays, fields } = await ledger.answers.answersWaiting();
    const left = await leftAnswers(instance, ledger.answers);
    return [
      ...delays.map((delay) => warning(what, ANSWERS_STATE.delayedBy(delay), DOCTOR_ANSWERS.hint())),
      ...fieldMessages(fields).map((message) => warning(what, message, DOCTOR_ANSWERS.fieldsHint())),
      ...left.map((one) => warning(what, ANSWERS_STATE.left(one), ANSWERS_STATE.putBack())),
    ];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [];
  }
}

function checkFolder(instance: Pick<Instance, 'folder' | 'settings'>, name: string): DoctorCheck {
  const what = DOCTOR_CHECK.answers();
  const path = answerFolderPath(instance, name);
  if (path === undefined) return failed(what, DOCTOR_ANSWERS.missing({ name }), DOCTOR_ANSWERS.missingHint());
  const probe = join(path, `.nightpost-doctor-${process.pid}`);
  try {
    const file = openSync(probe, 'wx', 0o600);
    try {
      // An empty file has room on a full disk too.
      writeSync(file, Buffer.alloc(PROBE_BYTES));
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
    return ok(what, DOCTOR_ANSWERS.ready({ folder: path }));
  } catch (error) {
    const code = errnoName(error) ?? '';
    const isOwn = !isAbsolute(instance.settings.answers.folders[name] ?? '');
    // The first run makes a folder of the instance.
    if (code === 'ENOENT' && isOwn) return ok(what, DOCTOR_ANSWERS.ready({ folder: path }));
    const hint = isOutOfRoom(error) ? DOCTOR_ANSWERS.makeRoom() : DOCTOR_ANSWERS.makeFolder();
    return warning(what, DOCTOR_ANSWERS.away({ path, code }), hint);
  }
}
