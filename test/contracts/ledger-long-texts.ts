/** Texts of 10,000 letters, as a cell or a file may have them, in each column that has an index: kept, found and shown as a whole. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Numbering } from '../../src/model/draft.ts';
import { admit, all, send, states } from '../ledger/acts.ts';
import { ADMITTED, answer, clock, documentOf, faulty, newFile, valid } from '../ledger/make.ts';
import type { LedgerUnderTest } from './ledger.ts';

/** No packing makes it shorter: hexadecimal digits would be halved, letters of all of Unicode are not. */
function letters(seed: string): string {
  let text = '';
  for (let n = 0; text.length < 10_000; n++) {
    for (const byte of createHash('sha256').update(`${seed} ${n}`).digest()) {
      text += String.fromCodePoint(0x4e00 + byte * 80 + (n % 80));
    }
  }
  return text.slice(0, 10_000);
}

export function longTextContract(name: string, { open }: LedgerUnderTest): void {
  const long = letters('key');
  const [key, other] = [`nt|fr-invoice|${long}A`, `nt|fr-invoice|${long}B`];

  test(`${name}: an identity of 10,000 letters belongs to one document, and differs from one with another last letter`, async () => {
    const { ledger, reopen } = await open({ now: clock().now });
    expect(await states(ledger, [valid({ keys: [key] }), valid({ keys: [other], row: 3 })])).toEqual([
      'ready',
      'ready',
    ]);
    expect(await states(ledger, [valid({ keys: [key] }), valid({ keys: [other], text: 'b', row: 3 })])).toEqual([
      'duplicate',
      'conflict',
    ]);
    await send(ledger, answer(2, 'authorized'));
    await send(ledger, answer(2, 'authorized'));
    const again = await reopen();
    expect(await states(again, [valid({ keys: [key] })])).toEqual(['duplicate']);
    expect(await again.queries.counts()).toMatchObject({ authorized: 2 });
    expect((await all(again.queries.find({ ids: [`${long}B`] }))).map(({ revision }) => revision)).toEqual([1]);
  });

  test(`${name}: another spelling of a number of 10,000 letters waits, and is shown as a whole`, async () => {
    const { ledger } = await open({ now: clock().now });
    expect(await states(ledger, [valid({ keys: [key] })])).toEqual(['ready']);
    expect(await states(ledger, [valid({ keys: [`${key.slice(0, -1)}a`], text: 'b' })])).toEqual(['held']);
    const [held] = await all(ledger.queries.find({ states: ['held'] }));
    expect(held?.hold?.rule).toBe('number-spelling');
    expect(JSON.stringify(held?.hold).includes(`${long}A`)).toBe(true);
  });

  test(`${name}: a sequence within a scope of 10,000 letters goes on, and is shown as a whole`, async () => {
    const { ledger, reopen } = await open({ now: clock().now });
    const noted = (id: string, scope: string) => {
      const numbering = new Numbering('note', [scope], 'text');
      return valid({
        numbering,
        keys: [id],
        identifier: `S-${numbering.toJSON()}`,
        content: JSON.stringify({ numbering, id }),
      });
    };
    await admit(ledger, [noted(key, `${long}1`), noted(other, `${long}1`), noted('c', `${long}2`)]);
    const again = await reopen();
    await admit(again, [noted('d', `${long}1`), noted(key, `${long}1`)]);
    const entries = await all(again.queries.find({}));
    expect(entries.map(({ facts }) => facts.identifier)).toEqual(['S-1', 'S-2', 'S-1', 'S-3', 'S-1']);
    expect(entries.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready', 'ready', 'duplicate']);
    const [given] = entries[1]?.identity.numbers ?? [];
    expect([given?.number, given?.scope[0] === `${long}1`]).toEqual([2, true]);
  });

  test(`${name}: a number, a party and the name of an export of 10,000 letters are kept, and found`, async () => {
    const { ledger } = await open({ now: clock().now });
    const party = letters('party');
    const known = documentOf({ number: `${long}1`, keys: [`fr|${party}1|invoice||1|2026`] });
    const file = await ledger.intake.openFile(newFile({ name: 'v'.repeat(250) }));
    const document = { ...known, facts: { ...known.facts, receiver: `${party}1` } };
    await ledger.intake.stage(file.id, [{ document }, faulty({ number: `${long}2`, keys: [], row: 3 })]);
    await ledger.intake.admit(file.id, ADMITTED);
    await send(ledger, answer(2, 'authorized'));
    for (const end of ['1', '2']) {
      const found = await all(ledger.queries.find({ ids: [`${long}${end}`] }));
      expect(found.map(({ facts }) => facts.identifier === `${long}${end}`)).toEqual([true]);
    }
    const seen = async (receiver: string) => await ledger.intake.hasSeen({ of: 'receiver', service: 'fr', receiver });
    expect([await seen(`${party}1`), await seen(`${party}2`)]).toEqual([true, false]);
    const sent = async (issuer: string) => await ledger.intake.hasSeen({ of: 'issuer', service: 'fr', issuer });
    expect([await sent(`${party}1`), await sent(long)]).toEqual([true, false]);
  });
}
