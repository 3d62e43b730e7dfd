/**
 * `errors --warnings`: warnings of documents that are sent all the same, and of whole exports, one line per cause. A
 * selector comes in, a table or JSON on stdout comes out.
 */

import { format, type Language, type MessageMaker } from '../../i18n/message.ts';
import { ERRORS, ERRORS_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, localize } from '../../model/fault.ts';
import { documentName, type Selector } from '../../model/ledger-entry.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import { escapeControls } from '../../text/printable.ts';
import { type Column, table } from '../layout/layout.ts';
import type { Session } from '../session/command-session.ts';
import { withDots } from './counted-words.ts';

/** A group of equal warnings: `documents` and `files` hold names, in the order of the ledger. */
type Cause = {
  readonly code: string;
  readonly rule: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
  readonly documents: string[];
  readonly files: string[];
};

/** Documents or files that are named for one cause. */
const SHOWN = 3;

/**
 * Prints the causes, most frequent first, then one hint per code. With --json all names, on the screen three per cause.
 */
export async function showWarnings(
  { options, terminal, instance }: Session,
  ledger: QueryStore,
  selector: Selector,
): Promise<void> {
  const { language } = instance.settings.rules;
  const say = (one: MessageMaker) => format(one(), language);
  const causes = [...(await causesOf(ledger, selector, language)).values()];
  causes.sort((a, b) => countOf(b) - countOf(a) || compareTexts(a.code, b.code));
  if (options.json) return terminal.out(JSON.stringify({ warnings: causes }, null, 2));
  if (causes.length === 0) {
    if (!options.quiet) terminal.out(`  ${say(ERRORS.noWarnings)}`);
    return;
  }
  const rows = causes.map((cause) => {
    const of = [...cause.documents, ...cause.files];
    return [String(of.length), cause.code, cause.message, withDots(of.slice(0, SHOWN), of.length)];
  });
  const { count, cause, example, in: where } = ERRORS_TABLE;
  const columns: readonly Column[] = [
    { title: say(count), align: 'right' },
    { title: say(cause), fit: 'whole' },
    { title: say(example), fit: 'below' },
    { title: say(where), fit: 'wrap' },
  ];
  terminal.out(table(columns, rows, terminal.width));
  const ways = causes.flatMap(({ code, hint }) =>
    hint === undefined ? [] : [`  ${format(ERRORS.hint({ code, hint: escapeControls(hint) }), language)}`],
  );
  if (ways.length > 0) terminal.out(['', ...ways].join('\n'));
}

/** The key of a cause: the code, and the place in the mapping if a check gives the warning. */
function causeOf({ code, mark }: Fault): string {
  if (!mark) return code;
  return `${code} ${mark.file}:${mark.line}`;
}

/**
 * A document counts once per cause, even with several warnings of it. Warnings of files are left out if the selector
 * names documents or states.
 */
async function causesOf(
  ledger: QueryStore,
  selector: Selector,
  language: Language,
): Promise<ReadonlyMap<string, Cause>> {
  const { ids, states, mapping, run, since, cause: wanted } = selector;
  const causes = new Map<string, Cause>();
  const add = (recorded: readonly Fault[], of: 'documents' | 'files', name: string) => {
    const warnings = localize(recorded, language).filter(
      ({ level, code }) => level === 'warning' && (wanted ?? code) === code,
    );
    for (const [key, { code, rule, message, hint }] of new Map(warnings.map((fault) => [causeOf(fault), fault]))) {
      const cause = causes.get(key) ?? { code, rule, message, hint, documents: [], files: [] };
      cause[of].push(name);
      causes.set(key, cause);
    }
  };
  for await (const entry of ledger.find({ ...selector, warnings: true })) {
    add(entry.faults, 'documents', documentName(entry));
  }
  if (ids || states) return causes;
  const asked = definedOnly({ run, since });
  for (const file of await ledger.files({ ...asked, limit: Number.MAX_SAFE_INTEGER })) {
    const isMeant = file.state === 'admitted' && file.rereads === undefined;
    if (isMeant && (mapping ?? file.mapping?.id) === file.mapping?.id) add(file.faults, 'files', file.name);
  }
  return causes;
}

function countOf({ documents, files }: Cause): number {
  return documents.length + files.length;
}
