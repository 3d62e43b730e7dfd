/**
 * The output of `preview --summary`: documents by class, and each fault code with the number of documents that have it.
 * Documents come in one by one, a text or an object for JSON comes out.
 */

import { format, type Language } from '../../i18n/message.ts';
import { PREVIEW_SUMMARY } from '../../i18n/messages/cli-previews-messages.ts';
import { COUNT } from '../../i18n/messages/cli-session-messages.ts';
import { FAULT_LEVEL } from '../../i18n/messages/states-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { type Fault, showFaultIn } from '../../model/fault.ts';
import type { Preview } from '../../views/preview/preview-files.ts';
import { table } from '../layout/layout.ts';

/** The first fault of a code, and the documents that have the code. */
type Kind = { readonly fault: Fault; documents: number };

/** Counts what `see` has received. `data` is the object of --json. */
export type PreviewTally = {
  readonly see: (document: Preview) => void;
  readonly documents: () => number;
  /** How many of them are refused. */
  readonly wrong: () => number;
  readonly text: (language: Language, width: number) => string;
  readonly data: () => object;
};

/** A document counts once per code. Memory grows with the number of codes, not with the documents. */
export function startTally(): PreviewTally {
  let documents = 0;
  let wrong = 0;
  const classes = new Map<string, number>();
  const kinds = new Map<string, Kind>();
  const see = ({ class: name, valid, faults }: Preview) => {
    documents++;
    if (!valid) wrong++;
    classes.set(name, (classes.get(name) ?? 0) + 1);
    for (const [key, fault] of new Map(faults.map((one) => [`${one.level} ${one.code}`, one] as const))) {
      const kind = kinds.get(key);
      if (kind) kind.documents++;
      else kinds.set(key, { fault, documents: 1 });
    }
  };
  // Errors first, the commonest first.
  const inOrder = () =>
    [...kinds.values()].sort((a, b) => a.fault.level.localeCompare(b.fault.level) || b.documents - a.documents);
  const text = (language: Language, width: number) => {
    const say = (phrase: Parameters<typeof format>[0]) => format(phrase, language);
    const byClass = [...classes].map(([name, count]) => `  ${name}   ${say(COUNT.document({ count }))}`);
    const titles = [PREVIEW_SUMMARY.fault, PREVIEW_SUMMARY.documents, PREVIEW_SUMMARY.first].map((title) => ({
      title: say(title()),
    }));
    const rows = inOrder().map(({ fault, documents: count }) => [
      `${say(FAULT_LEVEL[fault.level]())} ${fault.code}`,
      String(count),
      showFaultIn(fault, language),
    ]);
    return definedItems([...byClass, rows.length > 0 ? table(titles, rows, width) : undefined]).join('\n');
  };
  const data = () => ({
    documents,
    refused: wrong,
    classes: Object.fromEntries(classes),
    faults: inOrder().map(({ fault, documents: count }) => ({
      code: fault.code,
      level: fault.level,
      documents: count,
      first: fault,
    })),
  });
  return { see, documents: () => documents, wrong: () => wrong, text, data };
}
