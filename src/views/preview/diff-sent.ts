/**
 * What a mapping makes of a file, next to what was sent of it: contents from the ledger and a file in, one difference for
 * each document out. A document that a person corrected is not compared: its cells are not those of the file.
 */
import type { ConversionInstance } from '../../instance/instance.ts';
import { NOTHING_AGAIN } from '../../mapping/compose/group-rows.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { detailsOf } from '../../model/document.ts';
import { type FileRead, inputFor } from '../../pipeline/admission/admit-file.ts';
import { type Previewed, previewDrafts } from '../../pipeline/conversion/convert-file.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { changesOf, contentLeaves } from './diff-content.ts';
import { traced } from './diff-ledger.ts';
import type { ComparedDocument } from './diff-mappings.ts';

/** `content`: the JSON text as it was sent; `rows`: of the file. */
export type SentContent = {
  readonly identifier: string;
  readonly class: string;
  readonly rows: readonly number[];
  readonly content: string;
};

type SentFile = FileRead & {
  readonly claimedAt: string;
  readonly partner?: FileRead;
  readonly sent: readonly SentContent[];
};

export async function* diffWithSent(
  instance: ConversionInstance,
  file: SentFile,
  mapping: Mapping,
): AsyncIterable<ComparedDocument> {
  const left = new Map(file.sent.map((one) => [`${one.class} ${one.identifier}`, one]));
  // The number of a sequence is known only after the admission: then the rows say which document it is.
  const byRows = new Map(file.sent.map((one) => [one.rows.join(), one]));
  const input = inputFor({ instance }, file, mapping, definedOnly({ partner: file.partner }));
  try {
    for await (const one of previewDrafts({ ...input, reappeared: NOTHING_AGAIN })) {
      const { facts, class: documentClass, rows } = detailsOf(one.outcome);
      const was = left.get(`${documentClass} ${facts.identifier}`) ?? byRows.get(rows.join());
      if (!was) continue;
      left.delete(`${was.class} ${was.identifier}`);
      yield differenceOf(was, one);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
  }
  for (const { identifier, class: documentClass, rows } of left.values()) {
    yield { what: 'removed', identifier, class: documentClass, rows, changes: [], appear: [], disappear: [] };
  }
}

function differenceOf(was: SentContent, { outcome, draft }: Previewed): ComparedDocument {
  const { class: documentClass, rows } = detailsOf(outcome);
  const about = { identifier: was.identifier, class: documentClass, rows, changes: [], appear: [], disappear: [] };
  if (!('document' in outcome)) return { ...about, what: 'refused', appear: outcome.faults };
  const changes = changesOf(contentLeaves(was.content), contentLeaves(outcome.document.content.toString()));
  if (changes.length === 0) return { ...about, what: 'same' };
  return { ...about, what: 'changed', changes: draft ? traced(changes, draft) : [] };
}
