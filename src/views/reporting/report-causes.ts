/**
 * What waits, by cause, and the documents that need a person most: the search index comes in, parts of the morning report come
 * out. Of the documents themselves only those that are named are read. Reads only.
 */

import { wordsOf } from '../../i18n/message.ts';
import { NIGHT_TODO } from '../../i18n/messages/report/report-night-messages.ts';
import { consoleAddress } from '../../instance/console-address.ts';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import { isError } from '../../model/fault.ts';
import { documentName, type LedgerEntry } from '../../model/ledger-entry.ts';
import { type State, stateInfo } from '../../model/state.ts';
import { groupWork } from '../queries/causes.ts';
import { openDocumentsOf } from '../queries/find-documents.ts';
import { describeGroup } from '../wording/cause-words.ts';
import { entryIn } from '../wording/spoken-faults.ts';
import { startingCommand } from '../wording/starting-command.ts';
import { oldestWaiting, waitingDocument } from './oldest-waiting.ts';
import type { NightReport } from './report-shape.ts';

const OLDEST = 10;
/** Numbers of documents that a cause names. */
const NAMED = 3;

type Place = { readonly instance: Instance; readonly ledger: Pick<Ledger, 'queries'> };

export async function openCausesOf({ instance, ledger }: Place): Promise<Pick<NightReport, 'causes' | 'oldest'>> {
  using index = await openDocumentsOf(instance);
  const works = await index.work({});
  const groups = groupWork(works, 'cause');
  const named = await ledger.queries.entriesById(groups.flatMap(({ ids }) => ids.slice(0, NAMED)));
  const byId = new Map(named.map((entry) => [entry.id, entry]));
  const causes = groups.flatMap((group) => {
    const shown = definedItems(group.ids.slice(0, NAMED).map((id) => byId.get(id)));
    const [first] = shown;
    if (!first) return [];
    const { key, count, amounts } = group;
    const { actor } = stateInfo(first.state);
    return [
      definedOnly({
        cause: key,
        state: first.state,
        count,
        amounts,
        responsible: actor,
        says: inLanguages((language) => describeGroup(entryIn(first, language), group, language)),
        todo: todoOf(first),
        command: startingCommand({ ...group, first }, instance.settings.rules.language),
        link: linkTo(instance, key, first.state),
        documents: shown.map(documentName),
      }),
    ];
  });
  return { causes, oldest: (await oldestWaiting({ ledger, index }, works, OLDEST)).map(waitingDocument) };
}

function inLanguages(word: (language: 'en' | 'fr' | 'es') => string) {
  return { en: word('en'), fr: word('fr'), es: word('es') };
}

/** The hint of the first fault; without one, the act of a person that its state asks for. */
function todoOf(entry: LedgerEntry) {
  const { state } = entry;
  const act = wordsOf(isActedOn(state) ? NIGHT_TODO[state]() : stateInfo(state).says);
  return inLanguages((language) => {
    const [fault] = entryIn(entry, language).faults.filter(isError);
    return (state === 'invalid' || state === 'conflict') && fault?.hint ? fault.hint : act[language];
  });
}

function isActedOn(state: State): state is keyof typeof NIGHT_TODO {
  return state in NIGHT_TODO;
}

/** Only a console for other machines has an address that a person can open from anywhere. */
function linkTo({ settings: { serve } }: Instance, key: string, state: State): string | undefined {
  if (!serve.tls && !serve.proxy) return undefined;
  const search = new URLSearchParams(key === state ? { state: key } : { cause: key });
  return `${consoleAddress(serve, '', serve.port)}work?${search}`;
}
