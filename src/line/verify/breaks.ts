/** What a proof may find broken, and what each means; the sentences are for an auditor. */
import type { SourceFile } from '../../model/entry.ts';
import { PROGRAM_VERSION } from '../../model/program.ts';

const BREAKS = {
  'verify/chain-broken': 'a link of the chain of receipts was changed, taken out, put in or moved',
  'verify/head-differs':
    'the end that was kept elsewhere is not part of this chain: the chain was cut short or made anew',
  'verify/link-missing':
    'a receipt has no link in the chain: the end of the chain was cut off, or the ledger was edited',
  'verify/link-unknown':
    'a link stands behind the last one that its document knows: it was put in, or the ledger was edited',
  'verify/receipt-missing': 'a receipt was deleted or moved away',
  'verify/receipt-changed':
    'a receipt is not the one that was written: it was edited, swapped, or put back from an older time',
  'verify/payload-missing': 'the content beside a receipt was deleted or moved away',
  'verify/payload-changed': 'the content beside a receipt is not the one that was sent',
  'verify/file-unknown': 'a file lies where the ledger has none: it was moved there or put in',
  'verify/summary-missing': 'the summary of an export was deleted or moved away',
  'verify/summary-changed': 'the summary of an export is not the one that was written',
  'verify/source-missing': 'an archived export is gone: what was made of it can no longer be shown',
  'verify/source-changed': 'an archived export is not the one that was taken in',
  'verify/attachment-differs': 'a file that documents carry is missing in the archive, or is another one there',
  'verify/mapping-missing': 'the mapping as it was then is not in the archive: what it made can no longer be shown',
  'verify/mapping-changed': 'an archived mapping, or a table of it, is not the one that was used',
  'verify/rows-unreadable': 'the archived export can no longer be read as it was then',
  'verify/content-differs': 'the ledger holds another content than the archived rows give',
  'verify/document-missing': 'the ledger has a document that the archived rows do not give',
  'verify/document-extra': 'the archived rows give a document that the ledger does not have',
  'verify/answer-differs': 'the answer that is stored means something else than what was recorded of it',
  'verify/state-differs': 'the state of a document does not follow from what was tried and decided',
  'verify/ledger-differs': 'the ledger says something else than the receipt that was written from it',
} as const;

export type BreakCode = keyof typeof BREAKS;

export type Break = {
  readonly code: BreakCode;
  /** What is not as it should be, with what was expected. */
  readonly message: string;
  readonly means: string;
  /** Number of the document, or the name of its receipt. */
  readonly document?: string;
  /** Below the instance folder. */
  readonly path?: string;
};

export function broken(code: BreakCode, message: string, about: Pick<Break, 'document' | 'path'> = {}): Break {
  return { code, message, means: BREAKS[code], ...about };
}

/** Another version of the program may convert in another way: that is for the reader to know. */
export function madeBy({ mapping }: SourceFile): string {
  const program = mapping?.program;
  if (program === undefined || program === PROGRAM_VERSION) return '';
  return ` (made by Nightpost ${program}; this is ${PROGRAM_VERSION}, which may convert in another way)`;
}

export function short(sha256: string): string {
  return `${sha256.slice(0, 16)}...`;
}
