/**
 * Documents of one mapping that are rejected one after the other for the same cause: the mapping, or a setting that it
 * uses, is wrong, and its other documents would be rejected too. The cause is the code and the message without the
 * parts that differ by document: numbers and quoted values. Verdicts in, the common cause out.
 */

import type { Message } from '../../i18n/message.ts';
import { HOLD } from '../../i18n/messages/pipeline-messages.ts';
import type { DueDocument, SubmissionStore } from '../../ledger/contract/submission-store.ts';
import type { Answer, Verdict } from '../../model/answer.ts';
import type { Hold } from '../../model/document.ts';

type Judged = Pick<DueDocument, 'identifier' | 'mapping'>;

/** Counts for one service, by mapping. */
export type CommonCauseDetector = {
  /** Returns the common cause when `limit` documents in a row were rejected for it. */
  readonly judge: (due: Judged, verdict: Verdict) => Message | undefined;
  /** True while the cause is found and the mapping's other documents are not held yet: none of them may begin. */
  readonly isFound: (due: Judged) => boolean;
  readonly held: (due: Judged) => void;
  /** The mapping gets no further try: until the run ends, its later documents are held as they come. */
  readonly keep: (due: Kept['due'], hold: Hold) => void;
  readonly kept: (due: Judged) => Kept | undefined;
  readonly allKept: () => readonly Kept[];
};

/** `documents`: how many documents of the mapping were held as they came. */
export type Kept = { readonly due: Pick<DueDocument, 'mapping' | 'service'>; readonly hold: Hold; documents: number };

type Row = { cause: string; count: number; found: boolean };

/** `limit` 0 turns the detection off. */
export function createCommonCauseDetector(limit: number): CommonCauseDetector {
  const rows = new Map<string, Row>();
  const kept = new Map<string, Kept>();
  return {
    judge: ({ identifier, mapping }, { state, answer }) => {
      if (limit === 0 || !answer) return undefined;
      if (state === 'authorized' || state === 'contingency') rows.delete(mapping.id);
      if (state !== 'rejected' && state !== 'returned') return undefined;
      const cause = causeOf(answer, identifier);
      const before = rows.get(mapping.id);
      const row = before?.cause === cause ? before : { cause, count: 0, found: false };
      rows.set(mapping.id, row);
      row.count++;
      if (row.found || row.count < limit) return undefined;
      row.found = true;
      const about = { count: row.count, mapping: mapping.id, state, answer: sayingOf(answer) };
      return HOLD.sameCause(about);
    },
    isFound: ({ mapping }) => kept.has(mapping.id) || (rows.get(mapping.id)?.found ?? false),
    keep: (due, hold) => {
      if (!kept.has(due.mapping.id)) kept.set(due.mapping.id, { due, hold, documents: 0 });
    },
    kept: ({ mapping }) => kept.get(mapping.id),
    allKept: () => [...kept.values()],
    held: ({ mapping }) => {
      const row = rows.get(mapping.id);
      // A later document of the same mapping has one try: the same answer means that the cause is not fixed.
      if (row) rows.set(mapping.id, { cause: row.cause, count: limit - 1, found: false });
    },
  };
}

function causeOf(answer: Answer, identifier: string): string {
  const { code, name = '', message = '', statuses = [] } = answer;
  const texts = statuses.flatMap((status) => [String(status.code ?? ''), status.name ?? '', status.message ?? '']);
  return [code, ...[name, message, ...texts].map((text) => general(text, identifier))].join('\n');
}

function general(text: string, identifier: string): string {
  const without = identifier === '' ? text : text.replaceAll(identifier, '#');
  return without
    .replace(/"[^"]*"|'[^']*'|«[^»]*»|“[^”]*”/g, '#')
    .replace(/\d+([.,]\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}

function sayingOf({ code, name, message }: Answer): string {
  return [`code ${code}`, ...new Set([name, message].filter(Boolean))].join(', ');
}

/** Holds the queued documents of a mapping, with the cause; resolves to their count. */
export async function holdMapping(
  { holdReady }: SubmissionStore,
  { service, mapping }: Pick<DueDocument, 'service' | 'mapping'>,
  hold: Hold,
  at: string,
): Promise<number> {
  return await holdReady({ service, mapping: mapping.id }, hold, at);
}
