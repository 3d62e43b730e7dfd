/** The two-person rule: which acts wait, who may approve, and that nothing goes around it. Real queues, ledgers and processes. */

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { ACT, type ActName, type PersonAct, seenDocument } from '../../src/decisions/act.ts';
import { readAnswer } from '../../src/decisions/act-result.ts';
import { carryOut } from '../../src/decisions/carry-out.ts';
import { documentsUnderRule, needingApproval } from '../../src/decisions/two-people.ts';
import { isSamePerson } from '../../src/ledger/contract/approval.ts';
import { openRequestQueue } from '../../src/ledger/requests/open-request-queue.ts';
import { accountName } from '../../src/model/account-name.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { STATE_NAMES, type State } from '../../src/model/state.ts';
import { answerApproval, submitAct } from '../../src/runs/submit-act.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

const WHY = ['--reason', 'looked at it'];
const OPTIONS = { stop: new AbortController().signal, onEvent: () => {} };

describe('the rule', () => {
  const entry = (state: State, amount?: string) =>
    ({
      id: 'a',
      name: 'a',
      state,
      facts: { identifier: 'F1', currency: 'EUR', ...(amount && { amount }) },
    }) as LedgerEntry;
  const actOf = (name: ActName, state: State): PersonAct => {
    const document = { id: 'a', revision: 1, state };
    const more = { ...(name === 'resolve' && { as: 'rejected' }), ...(name === 'replace-cells' && { column: 'x' }) };
    if (name === 'fix')
      return ACT.parse({ act: name, documents: [{ ...document, edits: [{ row: 1, column: 'x', from: '', to: '' }] }] });
    return ACT.parse({ act: name, documents: [document], ...more });
  };
  const names = [
    'retry',
    'release',
    'set-aside',
    'acknowledge',
    'resolve',
    'fix',
    'replace-cells',
    'reprocess',
    'consult',
  ] as const;

  test('every act in every state, with each amount and setting', () => {
    const settings = { 'in-doubt': true, above: { EUR: '100' }, expires: 1 };
    for (const name of names) {
      for (const state of STATE_NAMES) {
        for (const amount of [undefined, '100', '100.01', '-100.01']) {
          for (const inDoubt of [true, false]) {
            const rule = { ...settings, 'in-doubt': inDoubt };
            const found = needingApproval(rule, actOf(name, state), [entry(state, amount)]);
            const isDoubt = inDoubt && state === 'in-doubt' && ['retry', 'resolve'].includes(name);
            const isLarge = name !== 'consult' && Math.abs(Number(amount ?? 0)) > 100;
            expect([name, state, amount, inDoubt, found.map(({ why }) => why)]).toEqual([
              ...[name, state, amount, inDoubt],
              isDoubt ? ['in-doubt'] : isLarge ? ['amount'] : [],
            ]);
          }
        }
      }
    }
    expect(needingApproval({ ...settings, above: {} }, actOf('release', 'held'), [entry('held', '1e9')])).toEqual([]);
    // In doubt when the person looked: that it was answered meanwhile does not make it an act of one person.
    expect(needingApproval(settings, actOf('retry', 'in-doubt'), [entry('failed')])).toHaveLength(1);
    expect(documentsUnderRule({ act: 'undo', document: { id: 'a', revision: 1, state: 'held' } })).toEqual([]);
  });

  test.each([
    [
      { id: '1', names: ['marie'] },
      { id: '1', names: ['m.dupont'] },
    ],
    [{ id: '1', names: ['Marie'] }, { names: ['marie'] }],
    [{ names: ['René'] }, { names: ['Rene\u0301'] }],
    [{ names: ['root', 'anna'] }, { names: ['root', 'paul'] }],
    [{ names: [' anna  b'] }, { names: ['ＡＮＮＡ b'] }],
  ])('%j may be %j', (one, other) => {
    expect(isSamePerson(one, other)).toBe(true);
    expect(isSamePerson(other, one)).toBe(true);
  });

  test('other ids and other names are other people', () => {
    expect(isSamePerson({ id: '1', names: ['anna'] }, { id: '2', names: ['paul'] })).toBe(false);
    expect(isSamePerson({ names: ['anna'] }, { names: ['paul'] })).toBe(false);
  });
});

describe('an act over the limit', () => {
  let scene: Scene;
  const rule = (twoPeople: object) => {
    const path = join(scene.root, 'nightpost.yaml');
    const settings = parse(readFileSync(path, 'utf8'));
    writeFileSync(path, stringify({ ...settings, decisions: { 'two-people': twoPeople } }));
  };
  const entryOf = async (number: string) => (await scene.entries()).find(({ facts }) => facts.identifier === number)!;
  const numbers = Array.from({ length: 14 }, (_, n) => `H${n + 1}`);
  let next = 0;
  let number: string;
  let document: LedgerEntry;

  beforeAll(async () => {
    const run = { 'give-up-after': '1s', hold: { over: { EUR: '60' } } };
    scene = await openScene({ settings: { run } });
    scene.drop('ventes-1.csv', sales(numbers, '3'));
    await scene.night();
  });
  beforeEach(async () => {
    rule({ above: { EUR: 60 } });
    number = numbers[next++]!;
    document = await entryOf(number);
  });
  afterAll(async () => await scene[Symbol.asyncDispose]());

  const release = () => ({ act: 'release' as const, documents: [seenDocument(document)] });
  const asked = (id: string, by = 'anna') => ({
    id,
    act: release(),
    decision: { by, reason: 'checked', at: new Date().toISOString() },
  });
  const verdict = (by: string, as: 'approved' | 'refused' = 'approved') => ({
    ...{ as, by, keys: { names: [by] }, reason: 'seen by two', at: new Date().toISOString() },
  });
  const code = async (given: Promise<unknown>) =>
    await given.then(
      () => 'done',
      (error: { readonly code: string }) => error.code,
    );
  const answer = async (id: string) => {
    await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
    const text = await queue.answerOf(id);
    return text === undefined ? undefined : readAnswer(text);
  };

  test('waits, is not done by a run, is approved by another person alone, and both names are kept', async () => {
    expect(await submitAct(scene.instance(), asked('a'), OPTIONS)).toMatchObject({
      approval: { id: 'a', person: 'anna', about: [{ number, why: 'amount', amount: '75.60', currency: 'EUR' }] },
    });
    await scene.night();
    expect((await entryOf(number)).state).toBe('held');
    expect(await code(answerApproval(scene.instance(), 'a', verdict('ANNA '), OPTIONS))).toBe('approval/same-person');
    const done = await answerApproval(scene.instance(), 'a', verdict('paul'), OPTIONS);
    expect(done).toMatchObject({ result: { documents: [{ number, done: true, is: 'ready' }] } });
    expect(await code(answerApproval(scene.instance(), 'a', verdict('eva'), OPTIONS))).toBe('approval/not-waiting');
    expect((await entryOf(number)).evidence).toMatchObject({ by: 'anna', approvedBy: 'paul' });
    const history = await scene.look((ledger) => ledger.queries.historyOf(document.id));
    expect(history.filter(({ what }) => what === 'act-approved')).toMatchObject([{ person: 'paul' }]);
    const shown = await commandIn(scene, 'show', number);
    expect(shown.out).toMatch(/anna.*paul/s);
    const receipt = scene.files('pending').find((path) => path.includes(number) && !path.includes('payload'))!;
    expect(JSON.parse(scene.read(receipt)).evidence).toMatchObject({ by: 'anna', approvedBy: 'paul' });
    expect((await commandIn(scene, 'verify', number)).code).toBe(0);
    expect((await commandIn(scene, 'undo', number, ...WHY)).code).toBe(0);
    expect((await entryOf(number)).state).toBe('held');
  });

  test('that was queued before the rule waits all the same, whichever program carries it out', async () => {
    await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
    const { decision, act } = asked('early');
    await queue.add({ id: 'early', ...decision, person: decision.by, act: JSON.stringify(act) });
    await scene.night();
    expect([(await entryOf(number)).state, await answer('early')]).toEqual(['held', undefined]);
    expect(await queue.waitingForPeople(new Date().toISOString())).toHaveLength(1);
    rule({});
    await scene.night();
    // Taking the rule away does not approve what waits.
    expect((await entryOf(number)).state).toBe('held');
    expect(
      await answerApproval(scene.instance(), 'early', verdict('anna'), OPTIONS).catch(({ code: one }) => one),
    ).toBe('approval/same-person');
    await answerApproval(scene.instance(), 'early', verdict('paul', 'refused'), OPTIONS);
    expect(await answer('early')).toMatchObject({ error: { code: 'approval/refused' } });
  });

  test.each([
    ['refused', 'paul', 'approval/refused', 'approval-refused'],
    ['withdrawn', 'Anna', 'approval/withdrawn', 'approval-withdrawn'],
  ] as const)('that is %s by %s is not done, and the document says so', async (_, by, ends, what) => {
    await submitAct(scene.instance(), asked(ends), OPTIONS);
    expect(await answerApproval(scene.instance(), ends, verdict(by, 'refused'), OPTIONS)).toMatchObject({
      ended: { code: ends },
    });
    const history = await scene.look((ledger) => ledger.queries.historyOf(document.id));
    expect(history.at(-1)).toMatchObject({ what, person: by, detail: { asked: 'anna', reason: 'seen by two' } });
    expect((await entryOf(number)).state).toBe('held');
    // The same request again has its answer; a new one is a new decision.
    expect(await code(submitAct(scene.instance(), asked(ends), OPTIONS))).toBe(ends);
  });

  test('that no one approves in time expires, and cannot be approved any more', async () => {
    await submitAct(scene.instance(), asked('late'), OPTIONS);
    {
      using db = new DatabaseSync(join(scene.root, 'state/requests.sqlite'));
      db.prepare('UPDATE request SET expires = ? WHERE id = ?').run(new Date().toISOString(), 'late');
    }
    expect(await code(answerApproval(scene.instance(), 'late', verdict('paul'), OPTIONS))).toBe('approval/not-waiting');
    await scene.night();
    expect(await answer('late')).toMatchObject({ error: { code: 'approval/expired' } });
    const history = await scene.look((ledger) => ledger.queries.historyOf(document.id));
    expect(history.at(-1)).toMatchObject({ what: 'approval-expired' });
    expect((await entryOf(number)).state).toBe('held');
  });

  test('whose verdict someone wrote into the queue is still held against who asked', async () => {
    await submitAct(scene.instance(), asked('forged'), OPTIONS);
    using db = new DatabaseSync(join(scene.root, 'state/requests.sqlite'));
    const forged = JSON.stringify({ ...verdict('anna'), keys: { id: 'x', names: ['ＡＮＮＡ'] } });
    db.prepare('UPDATE request SET verdict = ? WHERE id = ?').run(forged, 'forged');
    await scene.night();
    expect(await answer('forged')).toMatchObject({ error: { code: 'approval/same-person' } });
    expect((await entryOf(number)).state).toBe('held');
  });

  test('that was approved before a kill is done once by the next run', async () => {
    await submitAct(scene.instance(), asked('killed'), OPTIONS);
    {
      await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
      const said = JSON.stringify(verdict('paul'));
      const now = new Date().toISOString();
      expect([await queue.judge('killed', said, now), await queue.judge('killed', said, now)]).toEqual([true, false]);
      // The program that began it was killed.
      await queue.begin('killed');
    }
    await scene.night();
    await scene.night();
    expect(await answer('killed')).toMatchObject({ result: { documents: [{ done: true }] } });
    const history = await scene.look((ledger) => ledger.queries.historyOf(document.id));
    expect(history.filter(({ what }) => ['act-approved', 'ready'].includes(what))).toHaveLength(2);
    expect(scene.sandbox.acceptances().filter(({ identity }) => identity.includes(`|${number}`))).toMatchObject([
      { accepted: 1 },
    ]);
  });

  test('that another document of changed meanwhile leaves that one out', async () => {
    await submitAct(scene.instance(), asked('stale'), OPTIONS);
    rule({});
    expect((await commandIn(scene, 'set-aside', number, ...WHY, '--by', 'eva')).code).toBe(0);
    rule({ above: { EUR: 60 } });
    expect(await answerApproval(scene.instance(), 'stale', verdict('paul'), OPTIONS)).toMatchObject({
      result: { documents: [{ done: false, why: 'changed-meanwhile' }] },
    });
  });

  test('of a correction is about the mapping that it was asked with, and ends where that has changed', async () => {
    const file = join(scene.root, 'mappings/sales.yaml');
    const before = readFileSync(file, 'utf8');
    const act = { act: 'reprocess' as const, documents: [seenDocument(document)] };
    await submitAct(scene.instance(), { ...asked('evil'), act }, OPTIONS);
    writeFileSync(file, before.replace('Exemple SARL', 'Evil SARL'));
    const given = answerApproval(scene.instance(), 'evil', verdict('paul'), OPTIONS);
    expect(await code(given)).toBe('approval/other-mapping');
    writeFileSync(file, before);
    await submitAct(scene.instance(), { ...asked('good'), act }, OPTIONS);
    expect(await answerApproval(scene.instance(), 'good', verdict('paul'), OPTIONS)).toMatchObject({ result: {} });
  });

  test('on the command line the account counts, whatever name is given', async () => {
    const waits = await commandIn(scene, '--json', 'release', number, ...WHY, '--by', 'anna');
    const { request } = JSON.parse(waits.out);
    expect([waits.code, JSON.parse(waits.out)]).toMatchObject([3, { waits: 'approval', waitsFor: [{ number }] }]);
    const list = JSON.parse((await commandIn(scene, '--json', 'requests')).out);
    expect(list).toMatchObject([{ id: request, act: 'release', by: 'anna', documents: 1 }]);
    const own = await commandIn(scene, 'approve', request.slice(0, 8), ...WHY, '--by', 'paul');
    expect([own.code, own.err]).toEqual([2, expect.stringContaining('approval/same-person')]);
    // Asked for in the console by another person, it is approved here.
    await commandIn(scene, 'approve', request, '--refuse', ...WHY);
    await submitAct(scene.instance(), { ...asked('web'), keys: { id: 'p1', names: ['anna'] } }, OPTIONS);
    expect(accountName()).not.toBe('anna');
    const done = await commandIn(scene, '--json', 'approve', 'web', ...WHY);
    expect([done.code, JSON.parse(done.out)]).toMatchObject([0, { act: 'release', documents: [{ done: true }] }]);
  });

  test('a receipt in a decision folder decides nothing, and goes back with a note', async () => {
    const path = scene.files('pending').find((one) => one.includes(number) && one.endsWith('.receipt.json'))!;
    copyFileSync(join(scene.root, path), join(scene.root, 'pending/release', `${path.split('/').at(-1)}`));
    await scene.night();
    expect((await entryOf(number)).state).toBe('held');
    expect(scene.files('pending/release').filter((one) => one.includes(number))).toEqual([
      expect.stringMatching(/\.note\.txt$/),
    ]);
  });

  test('that makes a small document a large one waits too', async () => {
    rule({ above: { EUR: 100 } });
    const [first = 0, second = 0] = document.rows;
    const edits = [{ row: first, column: 'Qte', from: '3', to: '3000' }];
    const fix = { act: 'fix' as const, documents: [{ ...seenDocument(document), edits }] };
    const waits = { approval: { about: [{ number, why: 'amount', currency: 'EUR' }] } };
    expect(await submitAct(scene.instance(), { ...asked('grows'), act: fix }, OPTIONS)).toMatchObject(waits);
    const act = { act: 'replace-cells' as const, documents: [seenDocument(document)], column: 'Qte' };
    const replace = { ...act, from: '3', to: '4000' };
    expect(await submitAct(scene.instance(), { ...asked('all'), act: replace }, OPTIONS)).toMatchObject(waits);
    // The row becomes a document of its own, which is the large one.
    const moved = [
      { row: second, column: 'Num', from: number, to: `${number}-B` },
      { row: second, column: 'Qte', from: '3', to: '5000' },
    ];
    const split = { act: 'fix' as const, documents: [{ ...seenDocument(document), edits: moved }] };
    expect(await submitAct(scene.instance(), { ...asked('split'), act: split }, OPTIONS)).toMatchObject(waits);
    // A program that does not ask before it queues the act.
    await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
    const { decision } = asked('queued');
    await queue.add({ id: 'queued', ...decision, person: decision.by, act: JSON.stringify(fix) });
    await scene.night();
    expect([(await entryOf(number)).revision, await answer('queued')]).toEqual([1, undefined]);
    await answerApproval(scene.instance(), 'grows', verdict('paul'), OPTIONS);
    expect((await entryOf(number)).facts.amount).toBe('37837.80');
    const small = { ...seenDocument(await entryOf(number)), edits: [{ ...edits[0]!, from: '3000', to: '2' }] };
    const back = { act: 'fix' as const, documents: [small] };
    // It is large until then.
    expect(await submitAct(scene.instance(), { ...asked('shrinks'), act: back }, OPTIONS)).toMatchObject(waits);
  });

  test('and one that says another count than it has documents is refused', async () => {
    rule({});
    const look = { count: 2, sha256: '0' };
    expect(await code(submitAct(scene.instance(), { ...asked('look'), look }, OPTIONS))).toBe('act/other-look');
    expect((await entryOf(number)).state).toBe('held');
  });

  test('and one that an amount below the limit has is done at once', async () => {
    rule({ above: { EUR: 100, USD: 1 } });
    expect((await commandIn(scene, 'release', number, ...WHY)).code).toBe(0);
    expect(tally(await scene.entries()).ready).toBe(1);
  });
});

describe('an undo', () => {
  /** Its amount is not known before the correction, which makes it small. Then the mapping learns to read it as it came. */
  async function corrected(): Promise<Scene> {
    const scene = await openScene({ settings: { decisions: { 'two-people': { above: { EUR: 100 } } } } });
    scene.drop('ventes-1.csv', sales(['U1'], '3000').replaceAll(';20\n', ';x\n'));
    await scene.night();
    expect((await commandIn(scene, 'fix', 'U1', 'Qte=3', 'Taux=20', ...WHY)).code).toBe(0);
    return scene;
  }
  const learn = (scene: Scene) => {
    const file = join(scene.root, 'mappings/sales.yaml');
    const text = readFileSync(file, 'utf8').replace(', Taux: number', '').replace('rate: $Taux', 'rate: $rate');
    writeFileSync(file, text.replace('calculated-columns:', 'calculated-columns:\n  rate: = 20'));
  };
  const one = async (scene: Scene) => (await scene.entries())[0]!;
  const request = (text: string): string => JSON.parse(text).request;

  test('that would send a large document waits for another person, and is done once that one approves', async () => {
    await using scene = await corrected();
    learn(scene);
    const waits = await commandIn(scene, '--json', 'undo', 'U1', ...WHY);
    const about = { number: 'U1', why: 'amount', amount: '75600.00', currency: 'EUR' };
    expect([waits.code, JSON.parse(waits.out)]).toMatchObject([3, { waits: 'approval', waitsFor: [about] }]);
    expect(await one(scene)).toMatchObject({ state: 'ready', facts: { amount: '75.60' } });
    const list = JSON.parse((await commandIn(scene, '--json', 'requests')).out);
    expect(list).toMatchObject([{ act: 'undo', documents: 1, waitsFor: [about] }]);
    await answerApproval(
      scene.instance(),
      request(waits.out),
      { as: 'approved', by: 'paul', keys: { names: ['paul'] }, reason: 'seen', at: new Date().toISOString() },
      OPTIONS,
    );
    expect(await one(scene)).toMatchObject({ state: 'ready', facts: { amount: '75600.00' } });
    expect((await commandIn(scene, 'verify')).code).toBe(0);
  });

  test('that sends nothing needs one person, also after a stop', async () => {
    await using scene = await corrected();
    const act = { act: 'undo' as const, document: seenDocument(await one(scene)) };
    const decision = { by: 'anna', reason: 'mistake', at: new Date().toISOString() };
    await scene.desk(async (work) => {
      await carryOut(work, { id: 'back', act, decision });
    });
    expect(await one(scene)).toMatchObject({ state: 'invalid', facts: { identifier: 'U1' } });
    learn(scene);
    // The program ended before it answered: what it has done is not asked about again.
    expect(await submitAct(scene.instance(), { id: 'back', act, decision }, OPTIONS)).toMatchObject({
      result: { outcome: 'correction-undone' },
    });
  });
});
