/**
 * A document with rows of another one is never begun while a submission of that one may be processed, however it came to be queued:
 * here its row is set to `ready` by hand, as by a path that knows nothing of other documents.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { initLedger, openLedger } from '../../src/ledger/open-ledger.ts';
import type { DocumentOutcome } from '../../src/model/document.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { TO_OLDER_SCHEMA } from '../database/older-schema.ts';
import { AT, admit, all, INTENT, send } from './acts.ts';
import { BINDING, temporaryFolder } from './folder.ts';
import { ADMITTED, answer, clock, valid } from './make.ts';

const PERSON = { by: 'ana', at: AT, reason: 'looked at it' } as const;
const HELD = { hold: { rule: 'amount-over', says: 'large' } } as const;
const LOST = { ...answer(99, 'in-doubt'), verdict: { state: 'in-doubt', reason: 'cut off', consultAt: 7000 } as const };

function ofRows(rows: readonly number[], wish: Parameters<typeof valid>[0]): DocumentOutcome {
  const { document } = valid(wish) as Extract<DocumentOutcome, { document: unknown }>;
  return { document: { ...document, rows } };
}

async function openScene() {
  const place = { folder: temporaryFolder(), binding: BINDING, now: clock().now };
  await initLedger(place);
  let ledger = await openLedger(place);
  onTestFinished(() => ledger[Symbol.asyncDispose]());
  const change = async (...statements: readonly string[]) => {
    await ledger[Symbol.asyncDispose]();
    {
      using db = new DatabaseSync(join(place.folder, 'state/ledger.sqlite'));
      db.exec('PRAGMA foreign_keys = OFF');
      for (const statement of statements) db.exec(statement);
    }
    ledger = await openLedger(place);
  };
  const numbered = async (number: string) =>
    (await all(ledger.queries.find({}))).find(({ facts }) => facts.identifier === number) as LedgerEntry;
  const due = async (number: string) => {
    const { id, revision, kind, service, class: of, facts } = await numbered(number);
    return {
      id,
      revision,
      kind,
      service,
      class: of,
      identifier: facts.identifier,
      mapping: ADMITTED.mapping,
      tries: 0,
    };
  };
  return {
    folder: place.folder,
    get ledger() {
      return ledger;
    },
    change,
    numbered,
    due,
    begin: async (number: string) => {
      const queued = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 9);
      return await ledger.submissions.begin(queued.find(({ identifier }) => identifier === number)!, INTENT);
    },
    /** As a path that no one foresaw. */
    queue: async (number: string) => {
      const { id } = await numbered(number);
      await change(`UPDATE entry SET state = 'ready', hold = NULL, due_at = 0 WHERE id = '${id}'`);
    },
    reread: async (entries: readonly LedgerEntry[], stage: (file: string) => Promise<unknown>) => {
      const asked = { by: 'anna', reason: 'split', claimedAt: AT, day: '2026-11-20', run: 'run-2', corrections: [] };
      const first = entries[0]!.file.rereads ?? entries[0]!.file.id;
      const file = await ledger.corrections.openReprocess(first, { ...asked, entries: entries.map(({ id }) => id) });
      await stage(file.id);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 3 });
    },
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

type Split = { readonly main: LedgerEntry; readonly found: () => Promise<unknown> };

/** F-1 (rows 2, 3) is split into itself and F-2 after its submission was lost and recorded as rejected; the service was asked before. */
async function split(
  { ledger, numbered, due, reread }: Scene,
  sent: typeof LOST | ReturnType<typeof answer> = LOST,
  partly: Partial<typeof HELD> = {},
): Promise<Split> {
  await admit(ledger, [ofRows([2, 3], {})]);
  await send(ledger, sent);
  const asked = (await ledger.submissions.beginConsult(await due('F-1'), INTENT))!;
  const main = await numbered('F-1');
  expect(await ledger.submissions.resolve(main.id, { as: 'rejected', ...PERSON })).toBe(true);
  await reread([await numbered('F-1')], async (file) => {
    await ledger.corrections.stageRevisions(file, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
    await ledger.intake.stage(file, [{ ...valid({ number: 'F-2', row: 3 }), ...partly }]);
  });
  const { exchange, verdict } = answer(2, 'authorized');
  return { main, found: async () => await ledger.submissions.finishConsult(asked, { exchange, ms: 1 }, verdict, AT) };
}

/** F-1 (rows 2, 3) was released while it was split, and F-3 (row 3) is what was set apart, under another number. */
async function setApart(scene: Scene) {
  const { ledger, numbered, reread } = scene;
  await admit(ledger, [{ ...ofRows([2, 3], {}), ...HELD }]);
  const main = await numbered('F-1');
  await reread([main], async (file) => {
    await ledger.corrections.stageRevisions(file, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
    await ledger.intake.stage(file, [valid({ number: 'F-2', row: 3 })]);
    await ledger.submissions.resolve(main.id, { as: 'ready', ...PERSON });
  });
  const part = await numbered('F-2');
  await reread([part], async (file) => {
    await ledger.corrections.stageRevisions(file, [{ entry: part.id, outcome: valid({ number: 'F-3', row: 3 }) }]);
  });
  expect(await numbered('F-3')).toMatchObject({ state: 'held', hold: { rule: 'rows-issued' } });
}

test('a part of a document that the service has, whoever has queued it', async () => {
  const scene = await openScene();
  const { found } = await split(scene);
  expect(await scene.numbered('F-2')).toMatchObject({ state: 'ready' });
  await found();
  await scene.queue('F-2');
  expect(await scene.begin('F-2')).toBeUndefined();
  expect(await scene.numbered('F-2')).toMatchObject({ state: 'held', hold: { rule: 'rows-issued' } });
});

test('a part of a document that a later answer rejected is sent', async () => {
  const scene = await openScene();
  const { ledger, numbered, due, reread, begin } = scene;
  await admit(ledger, [ofRows([2, 3], {})]);
  await send(ledger, LOST);
  const { exchange, verdict } = answer(6, 'rejected');
  await ledger.submissions.finishConsult(
    (await ledger.submissions.beginConsult(await due('F-1'), INTENT))!,
    { exchange, ms: 1 },
    verdict,
    AT,
  );
  const main = await numbered('F-1');
  await reread([main], async (file) => {
    await ledger.corrections.stageRevisions(file, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
    await ledger.intake.stage(file, [valid({ number: 'F-2', row: 3 })]);
  });
  expect(await begin('F-2')).toBeDefined();
});

test('the correction of a document that was released meanwhile, under another number', async () => {
  const scene = await openScene();
  const { ledger, numbered, reread, begin } = scene;
  await admit(ledger, [{ ...ofRows([2, 3], {}), ...HELD }]);
  const main = await numbered('F-1');
  await reread([main], async (file) => {
    await ledger.corrections.stageRevisions(file, [{ entry: main.id, outcome: ofRows([2, 3], { text: 'corrected' }) }]);
    await ledger.submissions.resolve(main.id, { as: 'ready', ...PERSON });
  });
  await send(ledger, answer(2, 'authorized'));
  const [apart] = await all(ledger.queries.find({ states: ['conflict'] }));
  await reread([apart!], async (file) => {
    await ledger.corrections.stageRevisions(file, [{ entry: apart!.id, outcome: ofRows([2, 3], { number: 'F-9' }) }]);
  });
  await scene.queue('F-9');
  expect(await begin('F-9')).toBeUndefined();
});

test('what a ledger of before has recorded counts after its upgrade', async () => {
  const scene = await openScene();
  const { found } = await split(scene);
  await found();
  await scene.change(...TO_OLDER_SCHEMA);
  await scene.queue('F-2');
  expect(await scene.begin('F-2')).toBeUndefined();
});

test('a person who says that it is not there lets its parts go, until the decision is undone', async () => {
  const scene = await openScene();
  const { main, found } = await split(scene);
  await found();
  await scene.queue('F-2');
  await scene.ledger.submissions.resolve(main.id, { as: 'rejected', ...PERSON });
  await scene.ledger.submissions.undo(main.id, PERSON);
  expect(await scene.begin('F-2')).toBeUndefined();
  await scene.ledger.submissions.resolve(main.id, { as: 'rejected', ...PERSON });
  await scene.queue('F-2');
  expect(await scene.begin('F-2')).toBeDefined();
});

describe('what is set apart from a document', () => {
  const SUBMITS: readonly (readonly [string, (scene: Scene) => Promise<unknown>])[] = [
    ['under way', ({ begin }) => begin('F-1')],
    ['in doubt', ({ ledger }) => send(ledger, LOST)],
    ['authorized', ({ ledger }) => send(ledger, answer(2, 'authorized'))],
    ['in contingency', ({ ledger }) => send(ledger, answer(8, 'contingency'))],
  ];
  test.each(SUBMITS)('that is %s', async (_, submit) => {
    const scene = await openScene();
    await setApart(scene);
    await submit(scene);
    await scene.queue('F-3');
    expect(await scene.begin('F-3')).toBeUndefined();
    expect(await scene.numbered('F-3')).toMatchObject({ state: 'held', hold: { rule: 'rows-issued' } });
    // A person who has seen that lets it go.
    const { id } = await scene.numbered('F-3');
    expect(await scene.ledger.submissions.resolve(id, { as: 'ready', ...PERSON })).toBe(true);
    expect(await scene.begin('F-3')).toBeDefined();
  });

  test('that is rejected', async () => {
    const scene = await openScene();
    await setApart(scene);
    await send(scene.ledger, answer(6, 'rejected'));
    await scene.queue('F-3');
    expect(await scene.begin('F-3')).toBeDefined();
  });

  test('of two that are queued, the first one is sent', async () => {
    const scene = await openScene();
    await setApart(scene);
    await scene.queue('F-3');
    const both = await Promise.all([scene.begin('F-3'), scene.begin('F-1')]);
    expect(both.filter((one) => one !== undefined)).toHaveLength(1);
  });

  test('who has released it before the other was sent sees it once more', async () => {
    const scene = await openScene();
    await setApart(scene);
    const { id } = await scene.numbered('F-3');
    await scene.ledger.submissions.resolve(id, { as: 'ready', ...PERSON });
    const [, due] = await scene.ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 2);
    expect(due?.identifier).toBe('F-3');
    await send(scene.ledger, answer(2, 'authorized'));
    expect(await scene.ledger.submissions.begin(due!, INTENT)).toBeUndefined();
  });
});

describe('what a person has recorded as issued', () => {
  const RECORDED: readonly (readonly [string, (scene: Scene) => Promise<unknown>])[] = [
    ['after a refusal', ({ ledger }) => send(ledger, answer(0, 'refused'))],
    ['after it was returned', ({ ledger }) => send(ledger, answer(15, 'returned'))],
    [
      'after the record that it was returned',
      async ({ ledger, numbered }) => {
        await send(ledger, LOST);
        await ledger.submissions.resolve((await numbered('F-1')).id, { as: 'returned', ...PERSON });
      },
    ],
    [
      'though this ledger has not sent it',
      ({ change }) =>
        change(
          `UPDATE entry SET state = 'held', hold = '{"rule":"outcome-arrived","says":"r"}' WHERE identifier = 'F-1'`,
        ),
    ],
  ];
  test.each(RECORDED)('%s', async (_, submit) => {
    const scene = await openScene();
    const { numbered } = scene;
    await setApart(scene);
    await submit(scene);
    expect(await scene.ledger.submissions.resolve((await numbered('F-1')).id, { as: 'authorized', ...PERSON })).toBe(
      true,
    );
    await scene.queue('F-3');
    expect(await scene.begin('F-3')).toBeUndefined();
    expect(await numbered('F-3')).toMatchObject({ state: 'held', hold: { rule: 'rows-issued' } });
    // It is seen now.
    expect(await scene.ledger.submissions.resolve((await numbered('F-3')).id, { as: 'ready', ...PERSON })).toBe(true);
    expect(await scene.begin('F-3')).toBeDefined();
  });

  test('does not hold what was corrected with other rows, after a person said that it is not there', async () => {
    const scene = await openScene();
    await split(scene);
    await send(scene.ledger, answer(2, 'authorized'));
    expect(await scene.begin('F-2')).toBeDefined();
  });
});

test('the decision that is undone after a correction could not be taken back', async () => {
  const scene = await openScene();
  const { main, found } = await split(scene);
  await found();
  expect(await scene.ledger.submissions.resolve(main.id, { as: 'ready', ...PERSON })).toBe(true);
  const withdrawn = { ...PERSON, at: '2026-11-20T22:31:00.000Z' };
  expect(await scene.ledger.submissions.withdraw(main.id, 'invalid', withdrawn)).toBe(true);
  expect(await scene.ledger.submissions.putBack(main.id, withdrawn)).toBe(true);
  expect(await scene.ledger.submissions.undo(main.id, PERSON)).toBe('undone');
  await scene.queue('F-2');
  expect(await scene.begin('F-2')).toBeUndefined();
});

test('what a ledger of before has recorded of a submission that was refused counts after its upgrade', async () => {
  const scene = await openScene();
  const { found } = await split(scene, answer(0, 'refused'));
  await found();
  await scene.change(...TO_OLDER_SCHEMA);
  await scene.queue('F-2');
  expect(await scene.begin('F-2')).toBeUndefined();
});

describe('of a ledger of before, moved are', () => {
  const marked = ({ change, ...scene }: Scene) =>
    change(...TO_OLDER_SCHEMA).then(() => {
      using db = new DatabaseSync(join(scene.folder, 'state/ledger.sqlite'), { readOnly: true });
      const select = `SELECT e.identifier, r.revision FROM revision r JOIN entry e ON e.id = r.entry
        WHERE r.moved IS NOT NULL ORDER BY e.identifier, r.revision`;
      return db
        .prepare(select)
        .all()
        .map((row) => `${row.identifier} ${row.revision}`);
    });

  test('not the contents that have all rows, and no others, of their own document as it was first read', async () => {
    const scene = await openScene();
    const { ledger, numbered, reread } = scene;
    await admit(ledger, [
      { ...ofRows([2, 3], {}), ...HELD },
      { ...ofRows([4], { number: 'F-2' }), ...HELD },
    ]);
    for (const text of ['corrected', 'corrected again']) {
      const both = [await numbered('F-1'), await numbered('F-2')];
      await reread(both, (file) =>
        ledger.corrections.stageRevisions(file, [
          { entry: both[0]!.id, outcome: { ...ofRows([2, 3], { text }), ...HELD } },
          { entry: both[1]!.id, outcome: { ...ofRows([4], { text, number: 'F-2' }), ...HELD } },
        ]),
      );
    }
    expect(await numbered('F-2')).toMatchObject({ revision: 3 });
    expect(await marked(scene)).toEqual([]);
  });

  test('those with the rows of an earlier reading, and of another document', async () => {
    const scene = await openScene();
    const { ledger, numbered, reread, begin } = scene;
    const { found } = await split(scene, LOST, HELD);
    const part = await numbered('F-2');
    const outcome = { ...ofRows([3], { number: 'F-2', text: 'corrected' }), ...HELD };
    await reread([part], (file) => ledger.corrections.stageRevisions(file, [{ entry: part.id, outcome }]));
    await found();
    expect(await marked(scene)).toEqual(['F-1 2', 'F-2 1', 'F-2 2']);
    await scene.queue('F-2');
    expect(await begin('F-2')).toBeUndefined();
  });

  test('those that have exchanged their rows', async () => {
    const scene = await openScene();
    const { ledger, numbered, reread } = scene;
    await admit(ledger, [
      { ...ofRows([2], {}), ...HELD },
      { ...ofRows([3], { number: 'F-2' }), ...HELD },
    ]);
    const both = [await numbered('F-1'), await numbered('F-2')];
    await reread(both, (file) =>
      ledger.corrections.stageRevisions(file, [
        { entry: both[0]!.id, outcome: ofRows([3], {}) },
        { entry: both[1]!.id, outcome: ofRows([2], { number: 'F-2' }) },
      ]),
    );
    expect(await marked(scene)).toEqual(['F-1 2', 'F-2 2']);
  });
});
