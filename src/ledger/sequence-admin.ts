/** The sequences as a person sees them, and their next number, for a ledger that does not know the last ones. */

import { storedKey } from '../database/stored-key.ts';
import { NEXT_NUMBER } from '../i18n/messages/ledger-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import { OperatorError } from '../model/fault.ts';
import { chooseEngine } from './choose-engine.ts';
import { insertDecision } from './contract/ledger-context.ts';
import type { LedgerPlace } from './ledger-place.ts';
import { decideInLedger } from './open-ledger.ts';
import { ANY_SCOPE, setNext } from './records/number-sequences.ts';

/** The next number that a person sets; without `scope`: for all scopes without a known number. */
export type NextNumber = {
  readonly sequence: string;
  readonly scope?: readonly string[];
  readonly next: number;
  readonly by: string;
  readonly reason: string;
};

/** Only forward: an assigned number is not assigned a second time. */
export async function setNextNumber(
  place: LedgerPlace,
  { sequence, scope, next, by, reason }: NextNumber,
): Promise<void> {
  await decideInLedger(place, async (sql) => {
    const find = async (within: string) =>
      (await sql.all('SELECT next FROM sequence WHERE name = ? AND scope = ?', sequence, storedKey(within)))[0];
    // A sequence without levels has the one scope [].
    const levels = scope ?? ((await find('[]')) ? [] : undefined);
    const within = levels === undefined ? ANY_SCOPE : JSON.stringify(levels);
    const current = await find(within);
    if (levels && current && Number(current.next) > next) {
      const last = Number(current.next) - 1;
      throw new OperatorError('ledger/number-given', NEXT_NUMBER.given({ sequence, last }), {
        hint: NEXT_NUMBER.givenHint({ next: last + 1 }),
      });
    }
    await setNext(sql, sequence, within, next);
    const detail = { sequence, scope: levels ?? ANY_SCOPE, next, reason };
    await insertDecision(sql, { at: place.now(), what: 'next-number', person: by, detail });
  });
}

export type KnownSequence = { readonly sequence: string; readonly scope?: readonly string[]; readonly next: number };

/** Without a scope: the first number of scopes without a known number. */
export async function readSequences(place: LedgerPlace): Promise<readonly KnownSequence[]> {
  const engine = await chooseEngine(place);
  const look = await engine.look();
  try {
    const rows = await look.read(
      async (sql) =>
        await sql.all('SELECT name, COALESCE(whole, scope) AS scope, next FROM sequence ORDER BY name, scope'),
    );
    return rows.map(({ name, scope, next }) =>
      definedOnly({
        sequence: String(name),
        scope: scope === ANY_SCOPE ? undefined : (JSON.parse(String(scope)) as string[]),
        next: Number(next),
      }),
    );
  } finally {
    await look.close();
  }
}
