/** The sequences as a person sees them, and their next number, for a ledger that does not know the last ones. */
import { NEXT_NUMBER } from '../i18n/messages/ledger-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import { OperatorError } from '../model/fault.ts';
import { insertDecision } from './contract/ledger-context.ts';
import { openDatabase } from './database/open-database.ts';
import { stateFolder } from './installation/state-folder.ts';
import { decideInLedger, type LedgerPlace } from './open-ledger.ts';
import { ANY_SCOPE, SET_NEXT } from './records/number-sequences.ts';

/** The next number that a person sets; without `scope`: for all scopes without a known number. */
export type NextNumber = {
  readonly sequence: string;
  readonly scope?: readonly string[];
  readonly next: number;
  readonly by: string;
  readonly reason: string;
};

/** Only forward: an assigned number is not assigned a second time. */
export function setNextNumber(place: LedgerPlace, { sequence, scope, next, by, reason }: NextNumber): void {
  decideInLedger(place, (db) => {
    const find = db.prepare('SELECT next FROM sequence WHERE name = ? AND scope = ?');
    // A sequence without levels has the one scope [].
    const levels = scope ?? (find.get(sequence, '[]') ? [] : undefined);
    const within = levels === undefined ? ANY_SCOPE : JSON.stringify(levels);
    const current = find.get(sequence, within);
    if (levels && current && Number(current.next) > next) {
      const last = Number(current.next) - 1;
      throw new OperatorError('ledger/number-given', NEXT_NUMBER.given({ sequence, last }), {
        hint: NEXT_NUMBER.givenHint({ next: last + 1 }),
      });
    }
    db.prepare(SET_NEXT).run(sequence, within, next);
    const detail = { sequence, scope: levels ?? ANY_SCOPE, next, reason };
    insertDecision(db, { at: place.now(), what: 'next-number', person: by, detail });
  });
}

export type KnownSequence = { readonly sequence: string; readonly scope?: readonly string[]; readonly next: number };

/** Without a scope: the first number of scopes without a known number. */
export function readSequences(place: LedgerPlace): readonly KnownSequence[] {
  const db = openDatabase(stateFolder(place.folder).ledger, { readOnly: true });
  try {
    const rows = db.prepare('SELECT name, scope, next FROM sequence ORDER BY name, scope').all();
    return rows.map(({ name, scope, next }) =>
      definedOnly({
        sequence: String(name),
        scope: scope === ANY_SCOPE ? undefined : (JSON.parse(String(scope)) as string[]),
        next: Number(next),
      }),
    );
  } finally {
    db.close();
  }
}
