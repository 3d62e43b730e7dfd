/**
 * Values of filters that no document can have: a name typed wrongly must not look like a list without documents. Throws
 * OperatorError `list/unknown-value` with the known ones, or `list/unknown-document`.
 */

import { SELECTION } from '../../i18n/messages/cli-decisions-messages.ts';
import { LIST_FILTER } from '../../i18n/messages/cli-views-messages.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { SERVICE_NAMES } from '../../model/document.ts';
import { OperatorError } from '../../model/fault.ts';
import type { Selector } from '../../model/ledger-entry.ts';
import { escapeControls } from '../../text/printable.ts';
import type { DocumentListFilter, SearchPlace } from './find-documents.ts';

/** Runs that are named where one is unknown. */
const LATEST_RUNS = 5;

type Place = {
  readonly index: SearchPlace['index'];
  readonly ledger: Pick<Ledger, 'queries' | 'runs'>;
  readonly instance: { readonly mappings: readonly { readonly id: string }[] };
};

type Values = Pick<DocumentListFilter, 'service' | 'mapping' | 'run' | 'night'> & {
  readonly after?: string | undefined;
};

export async function refuseUnknownValues({ index, ledger, instance }: Place, values: Values): Promise<void> {
  const { service, mapping, run, night, after } = values;
  if (service !== undefined) refuseUnknown('--service', service, SERVICE_NAMES);
  if (mapping !== undefined) {
    refuseUnknown(
      '--mapping',
      mapping,
      [...new Set([...instance.mappings.map(({ id }) => id), ...(await index.mappings())])].sort(),
    );
  }
  if (run !== undefined && (await ledger.queries.files({ run, limit: 1 })).length === 0) {
    const { ids } = await index.page({ run }, { limit: 1 });
    const runs = (await ledger.runs.list(Number.MAX_SAFE_INTEGER)).map(({ id }) => id);
    if (ids.length === 0 && !runs.includes(run)) refuseUnknown('--run', run, runs.slice(0, LATEST_RUNS));
  }
  if (night !== undefined && (await ledger.runs.list(1, night)).length === 0) {
    const runs = (await ledger.runs.list(LATEST_RUNS)).map(({ id }) => id);
    refuseUnknown('--night', night, runs);
  }
  if (after !== undefined && (await ledger.queries.entriesById([after])).length === 0) {
    throw new OperatorError('list/unknown-document', LIST_FILTER.unknownDocument({ value: escapeControls(after) }), {
      hint: LIST_FILTER.afterHint(),
    });
  }
}

/** The same for a selection without the search index; a name that no document has throws `select/no-such-document`. */
export async function refuseUnknownSelection(
  { ledger, instance }: { readonly ledger: Pick<Ledger, 'queries' | 'runs'> } & Pick<Place, 'instance'>,
  { ids = [], mapping, run }: Selector,
): Promise<void> {
  const isKnown = async (selector: Selector) => {
    for await (const _ of ledger.queries.find({ ...selector, limit: 1 })) return true;
    return false;
  };
  for (const name of ids) {
    if (await isKnown({ ids: [name] })) continue;
    throw new OperatorError('select/no-such-document', SELECTION.noSuch({ name: escapeControls(name) }), {
      hint: SELECTION.list(),
    });
  }
  const mappings = instance.mappings.map(({ id }) => id);
  if (mapping !== undefined && !mappings.includes(mapping) && !(await isKnown({ mapping })))
    refuseUnknown('--mapping', mapping, mappings);
  if (run === undefined || (await ledger.queries.files({ run, limit: 1 })).length > 0 || (await isKnown({ run })))
    return;
  const runs = (await ledger.runs.list(Number.MAX_SAFE_INTEGER)).map(({ id }) => id);
  if (!runs.includes(run)) refuseUnknown('--run', run, runs.slice(0, LATEST_RUNS));
}

function refuseUnknown(option: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  throw new OperatorError('list/unknown-value', LIST_FILTER.unknownValue({ option, value: escapeControls(value) }), {
    hint: known.length > 0 ? LIST_FILTER.known({ values: known.join(', ') }) : LIST_FILTER.noneKnown(),
  });
}
