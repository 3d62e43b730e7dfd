/**
 * Answers to the ERP in a ledger that replaces another one: files of that one keep their numbers, so that the ERP never gets
 * two files of one name. What they reported is not known any more. A folder that cannot be read is noted.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Statements } from '../database/database-driver.ts';
import { sha256OfFile } from '../files/sha256-of-file.ts';
import type { Instance } from '../instance/instance.ts';
import { endUnknownAnswers, reserveAnswerNumber } from '../ledger/records/answer-records.ts';
import { copyPath } from '../pipeline/answers/answer-draft.ts';
import { answerFolderPath } from '../pipeline/answers/answer-folders.ts';
import { readAnswerNumbers } from '../receipts/place-answer-file.ts';

export async function recoverAnswers(
  instance: Pick<Instance, 'folder' | 'paths' | 'settings' | 'mappings'>,
  sql: Statements,
  { now, unreadable }: { readonly now: Date; readonly unreadable: (path: string) => void },
): Promise<void> {
  const at = now.toISOString();
  const hasCopy = async (file: { readonly id: number; readonly sha256: string }) => {
    const path = copyPath({ instance }, file);
    return existsSync(path) && (await sha256OfFile(path)) === file.sha256;
  };
  await endUnknownAnswers(sql, hasCopy, at);
  for (const { to, id: answers, name } of instance.mappings.flatMap((mapping) => mapping.answers)) {
    const path = answerFolderPath(instance, to);
    if (path === undefined) continue;
    const names = await readdir(path).catch(() => undefined);
    if (!names) {
      unreadable(path);
      continue;
    }
    const inMark = (await readAnswerNumbers(path)).get(answers) ?? 0;
    const found = names.map((one) => ({ name: one, n: name.numberIn(one) ?? 0 }));
    const made = { name: name.text.replace(/\{n(?::\d+)?\}/, String(inMark)), n: inMark };
    const last = [made, ...found].reduce((most, one) => (one.n > most.n ? one : most));
    await reserveAnswerNumber(sql, { answers, ...last, folder: to, at });
  }
}
