/**
 * The answers to the ERP, compared with the chain: each file has a link that names its hash and the hash of what it
 * reported of each document. A file that is still in its folder has these bytes. Reads only; differences are breaks.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfOurs } from '../files/sha256-of-file.ts';
import { FOUND } from '../i18n/messages/pipeline-messages.ts';
import type { AnswersFile } from '../ledger/contract/answer-store.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { yieldingBetween } from '../pipeline/context/yield-to-others.ts';
import { appendAll, pagesAfter } from '../text/long-lists.ts';
import { beginSha256 } from '../text/sha256.ts';
import { type Break, broken, short } from './verify-findings.ts';

const PAGE = 200;

type AnswersContext = { readonly ledger: Ledger; readonly stop?: AbortSignal };

/** Files that are not written yet have no link, and nothing to prove. */
export async function verifyAnswers({ ledger, stop }: AnswersContext): Promise<readonly Break[]> {
  const breaks: Break[] = [];
  for await (const page of pagesAfter(PAGE, (last?: AnswersFile) => ledger.answers.answerFiles(last?.id ?? 0, PAGE))) {
    for await (const file of yieldingBetween(page, stop)) {
      if (file.link !== undefined) appendAll(breaks, await verifyFile(ledger, file, file.link));
    }
  }
  return breaks;
}

async function verifyFile(ledger: Ledger, file: AnswersFile, n: number): Promise<readonly Break[]> {
  const { id, name, sha256, documentsSha256, documents, path } = file;
  const differs = (found: string | undefined, before: string | undefined) =>
    broken('verify/answers-differ', FOUND.hashDiffers({ found: short(found ?? ''), before: short(before ?? '') }), {
      path: name,
    });
  const link = await ledger.receipts.linkAt(n);
  if (link?.what !== 'answers' || link.id !== String(id) || link.attempts !== documents) {
    return [broken('verify/answers-differ', FOUND.strayAnswers({ n, id: name }), { path: name })];
  }
  if (link.sha256 !== sha256) return [differs(sha256, link.sha256)];
  const lines = beginSha256();
  for await (const line of ledger.answers.answeredLines(id)) lines.update(line);
  const reported = lines.digest('hex');
  if (reported !== link.payloadSha256 || reported !== documentsSha256) return [differs(reported, link.payloadSha256)];
  const here = path === undefined ? undefined : join(path, name);
  // The ERP takes its files: one that is gone proves nothing.
  if (here === undefined || !(await stat(here).catch(() => undefined))?.isFile()) return [];
  const found = await sha256OfOurs(here);
  return found === sha256 ? [] : [differs(found, sha256)];
}
