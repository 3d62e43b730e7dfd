/** What a document was made of belongs to it by its bytes: a second reading takes no other file of the same name. */
import { chmodSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';
import { PAIR_MAPPING } from '../sources/pair-mapping.ts';

const ATTACHING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  'totals:',
  'attachments:\n    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }\n  totals:',
);
const WITHOUT_MARK = `identifier: '= REPLACE($Num, "-X6", "")'`;
const WHY = ['--reason', 'corrected by the accountant', '--by', 'anna'];
const exportOf = (...rows: readonly (readonly [number: string, pdf: string])[]) =>
  [
    'Num;Date;Client;Lig;Qte;PU;Taux;Pdf',
    ...rows.map(([number, pdf]) => `${number};05/09/2026;Client;1;2;10,50;20;${pdf}`),
    '',
  ].join('\n');

type Content = {
  readonly lines: readonly { readonly 'net-amount': string }[];
  readonly attachments?: readonly { readonly content: string }[];
  readonly receiver: { readonly name: string };
};

async function contentOf(scene: Scene, number: string): Promise<Content> {
  const text = await scene.look(async (ledger) => {
    for await (const { id } of ledger.queries.find({ ids: [number] })) return await ledger.queries.contentOf(id);
    return undefined;
  });
  const content = JSON.parse(text ?? '{}') as Content & { readonly payload?: Content };
  return content.payload ?? content;
}

async function attachedTo(scene: Scene, number: string): Promise<readonly string[]> {
  const { attachments = [] } = await contentOf(scene, number);
  return attachments.map(({ content }) => Buffer.from(content, 'base64').toString());
}

async function states(scene: Scene): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await scene.entries()).map(({ facts, state }) => [facts.identifier, state]));
}

const isProven = async (scene: Scene) => expect((await proofOf(scene.instance())).found).toEqual([]);

/** Another file of this name in every place where one may look. */
function putEverywhere(scene: Scene, name: string, content: string): void {
  scene.drop(name, content);
  const archive = join(scene.root, 'archive');
  const months = ['2020-01', ...readdirSync(archive).filter((one) => /^\d/.test(one))];
  for (const month of months) {
    mkdirSync(join(archive, month), { recursive: true });
    for (const hash of ['', `${'0'.repeat(16)}-`, `${'f'.repeat(64)}-`])
      put(join(archive, month, hash + name), content);
  }
  put(join(scene.root, 'processing', name), content);
  put(join(scene.root, name), content);
}

/** Of before this ledger: it is none of the files that the ledger has to know. */
function put(path: string, content: string): void {
  writeFileSync(path, content);
  const past = new Date(0);
  utimesSync(path, past, past);
}

/** Ways to read a rejected document again. */
const WAYS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'a fix': async (scene) => {
    expect(await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', ...WHY)).toMatchObject({ err: '', code: 0 });
  },
  'a correction file': async (scene) => {
    const sheet = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
    scene.drop('back.csv', scene.read(sheet).replaceAll('F1-X6;', 'F1;'));
  },
  'a mapping that reads it otherwise': async (scene) => {
    const text = ATTACHING.replace('identifier: $Num', WITHOUT_MARK);
    writeFileSync(join(scene.root, 'mappings/sales.yaml'), text);
    const done = await commandIn(scene, 'reprocess', 'F1-X6', ...WHY, '--yes');
    expect(done).toMatchObject({ err: '', code: 0 });
  },
};

test.each(Object.keys(WAYS))(
  'the attachment of a document that is corrected by %s is that of its revision',
  async (way) => {
    await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
    scene.drop('annexe.pdf', 'PDF of F1, customer Alpha');
    scene.drop('ventes.csv', exportOf(['F1-X6', 'annexe.pdf']));
    await scene.night();
    expect(await states(scene)).toEqual({ 'F1-X6': 'rejected' });
    putEverywhere(scene, 'annexe.pdf', 'PDF of F2, customer Beta');
    await WAYS[way]!(scene);
    await scene.night();
    expect(await states(scene)).toEqual({ F1: 'authorized' });
    expect(await attachedTo(scene, 'F1')).toEqual(['PDF of F1, customer Alpha']);
    expect(scene.read('inbox/annexe.pdf')).toBe('PDF of F2, customer Beta');
    scene.drop('ventes-2.csv', exportOf(['F2', 'annexe.pdf']));
    await scene.night();
    expect(await attachedTo(scene, 'F2')).toEqual(['PDF of F2, customer Beta']);
  },
);

/** Ways to read a refused document again, whose price is no number. */
const FIXES: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'a fix': async (scene) => {
    expect(await commandIn(scene, 'fix', 'F1', 'PU=10,50', ...WHY)).toMatchObject({ err: '', code: 0 });
  },
  'a second fix': async (scene) => {
    expect((await commandIn(scene, 'fix', 'F1', 'PU=y', ...WHY)).out).toContain('map/not-a-number');
    await scene.night();
    await FIXES['a fix']!(scene);
  },
  'a correction file': async (scene) => {
    const sheet = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
    scene.drop('back.csv', scene.read(sheet).replace(';x;', ';10,50;'));
  },
};
const refusedExport = () => exportOf(['F1', 'annexe.pdf'], ['F0', '']).replace('10,50', 'x');

test.each(Object.keys(FIXES))(
  'the attachment of a refused document that is corrected by %s is its own',
  async (way) => {
    await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
    scene.drop('annexe.pdf', 'PDF of F1, customer Alpha');
    scene.drop('ventes.csv', refusedExport());
    await scene.night();
    expect(await states(scene)).toEqual({ F0: 'authorized', F1: 'invalid' });
    expect(scene.read('inbox/annexe.pdf')).toBe('PDF of F1, customer Alpha');
    putEverywhere(scene, 'annexe.pdf', 'PDF of F2, customer Beta');
    await FIXES[way]!(scene);
    await scene.night();
    expect(await states(scene)).toEqual({ F0: 'authorized', F1: 'authorized' });
    expect(await attachedTo(scene, 'F1')).toEqual(['PDF of F1, customer Alpha']);
    scene.drop('ventes-2.csv', exportOf(['F2', 'annexe.pdf']));
    await scene.night();
    expect(await attachedTo(scene, 'F2')).toEqual(['PDF of F2, customer Beta']);
    expect(scene.files('inbox')).toEqual([]);
    await isProven(scene);
  },
);

test.each(Object.keys(FIXES))('it leaves the inbox with the document that is corrected by %s', async (way) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('annexe.pdf', 'PDF of F1');
  scene.drop('ventes.csv', refusedExport());
  await scene.night();
  await FIXES[way]!(scene);
  await scene.night();
  expect(await attachedTo(scene, 'F1')).toEqual(['PDF of F1']);
  expect(scene.files('inbox')).toEqual([]);
  await isProven(scene);
});

test('a refused document keeps its attachment where another export of the night takes it', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('annexe.pdf', 'general conditions');
  scene.drop('ventes-1.csv', refusedExport());
  scene.drop('ventes-2.csv', exportOf(['F2', 'annexe.pdf']));
  await scene.night();
  expect(scene.files('inbox')).toEqual([]);
  await FIXES['a fix']!(scene);
  await scene.night();
  expect(await attachedTo(scene, 'F1')).toEqual(['general conditions']);
});

test.each(['the same bytes', 'other bytes'])('the corrected export takes what is in the inbox: %s', async (bytes) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('annexe.pdf', 'PDF of F1');
  scene.drop('ventes.csv', refusedExport());
  await scene.night();
  const now = bytes === 'other bytes' ? 'a better PDF of F1' : 'PDF of F1';
  scene.drop('annexe.pdf', now);
  scene.drop('ventes.csv', refusedExport().replace(';x;', ';10,50;'));
  await scene.night();
  expect(await attachedTo(scene, 'F1')).toEqual([now]);
  expect(scene.files('inbox')).toEqual([]);
});

test.each(['the same bytes', 'other bytes'])(
  'a name that two months share, with %s, blocks no correction',
  async (bytes) => {
    await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
    const first = 'general conditions';
    const second = bytes === 'other bytes' ? 'newer conditions' : first;
    scene.drop('cgv.pdf', first);
    scene.drop('ventes-1.csv', exportOf(['F1-X6', 'cgv.pdf']));
    await scene.night();
    scene.drop('cgv.pdf', second);
    scene.drop('ventes-2.csv', exportOf(['F2', 'cgv.pdf']));
    await scene.night();
    // Equal bytes are archived once in a month; another month has them too.
    mkdirSync(join(scene.root, 'archive/2020-01'));
    const [archived] = scene.files('archive').filter((path) => path.endsWith('-cgv.pdf'));
    writeFileSync(join(scene.root, 'archive/2020-01', archived!.split('/').at(-1)!), scene.read(archived!));
    expect(await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', ...WHY)).toMatchObject({ err: '', code: 0 });
    await scene.night();
    expect(await states(scene)).toEqual({ F1: 'authorized', F2: 'authorized' });
    expect(await attachedTo(scene, 'F1')).toEqual([first]);
    expect(await attachedTo(scene, 'F2')).toEqual([second]);
    await isProven(scene);
  },
);

test('equal bytes that wait for the next export stay in the inbox while a document is corrected', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('cgv.pdf', 'general conditions');
  scene.drop('ventes-1.csv', exportOf(['F1-X6', 'cgv.pdf']));
  await scene.night();
  scene.drop('cgv.pdf', 'general conditions');
  expect(await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', ...WHY)).toMatchObject({ err: '', code: 0 });
  expect(scene.read('inbox/cgv.pdf')).toBe('general conditions');
  scene.drop('ventes-2.csv', exportOf(['F2', 'cgv.pdf']));
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'authorized', F2: 'authorized' });
});

test('an attachment that is gone from the archive is a fault: another file of its name does not replace it', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('annexe.pdf', 'PDF of F1');
  scene.drop('ventes.csv', exportOf(['F1-X6', 'annexe.pdf']));
  await scene.night();
  for (const path of scene.files('archive').filter((one) => one.endsWith('.pdf'))) rmSync(join(scene.root, path));
  scene.drop('annexe.pdf', 'PDF of F2');
  expect((await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', ...WHY)).out).toContain('map/companion-unreadable');
  expect(scene.read('inbox/annexe.pdf')).toBe('PDF of F2');
  // The file itself may come back.
  scene.drop('annexe.pdf', 'PDF of F1');
  expect(await commandIn(scene, 'reprocess', 'F1', ...WHY, '--yes')).toMatchObject({ err: '', code: 0 });
  await scene.night();
  expect(await attachedTo(scene, 'F1')).toEqual(['PDF of F1']);
});

test('bytes that were changed in the archive are not attached', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('annexe.pdf', 'PDF of F1');
  scene.drop('ventes.csv', exportOf(['F1-X6', 'annexe.pdf']));
  await scene.night();
  for (const path of scene.files('archive').filter((one) => one.endsWith('.pdf'))) {
    chmodSync(join(scene.root, path), 0o600);
    writeFileSync(join(scene.root, path), 'PDF of a third one');
  }
  expect((await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', ...WHY)).out).toContain('map/companion-unreadable');
});

test('a name that a correction gives comes from the inbox, never from the archive', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('other.pdf', 'PDF of another customer');
  scene.drop('ventes-0.csv', exportOf(['F0', 'other.pdf']));
  await scene.night();
  scene.drop('a.pdf', 'PDF of F1');
  scene.drop('ventes-1.csv', exportOf(['F1-X6', 'a.pdf']));
  await scene.night();
  const missing = await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', 'Pdf=other.pdf', ...WHY, '--dry-run');
  expect(missing.out).toContain('map/no-companion');
  scene.drop('b.pdf', 'the right PDF of F1');
  expect(await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', 'Pdf=b.pdf', ...WHY)).toMatchObject({ err: '', code: 0 });
  await scene.night();
  expect(await attachedTo(scene, 'F1')).toEqual(['the right PDF of F1']);
  expect(scene.files('inbox')).toEqual([]);
  await isProven(scene);
});

test('the rows of a document that is corrected are those of its export', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-X6']));
  await scene.night();
  const netOf = async (number: string) => (await contentOf(scene, number)).lines.map((one) => one['net-amount']);
  const net = await netOf('F1-X6');
  putEverywhere(scene, 'ventes.csv', sales(['F1-X6'], '7'));
  rmSync(join(scene.root, 'inbox/ventes.csv'));
  expect(await commandIn(scene, 'fix', 'F1-X6', 'Num@2=F1', 'Num@3=F1', ...WHY)).toMatchObject({ err: '', code: 0 });
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'authorized' });
  expect(await netOf('F1')).toEqual(net);
});

const headers = (customer: string) => `Num;Client\nF1-X6;${customer}\n`;
const LINES = 'Num;Lig;Net\nF1-X6;1;10,00\n';
const receiverOf = async (scene: Scene, number: string) => (await contentOf(scene, number)).receiver.name;

test('the other file of a pair is the one that was read with it, not the nearest of its name', async () => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': PAIR_MAPPING } });
  // Both names are the header half of the same pair; one of them remains alone and is refused.
  scene.drop('ENT_A.csv', headers('Alpha'));
  scene.drop('ent_a.csv', headers('Beta'));
  scene.drop('LIG_A.csv', LINES);
  await scene.night();
  expect(await states(scene)).toEqual({ 'F1-X6': 'rejected' });
  const customer = await receiverOf(scene, 'F1-X6');
  putEverywhere(scene, 'ENT_A.csv', headers('Gamma'));
  rmSync(join(scene.root, 'inbox/ENT_A.csv'));
  const other = PAIR_MAPPING.replace('identifier: $Num', WITHOUT_MARK);
  writeFileSync(join(scene.root, 'mappings/pairs.yaml'), other);
  expect(await commandIn(scene, 'reprocess', 'F1-X6', ...WHY, '--yes')).toMatchObject({ err: '', code: 0 });
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'authorized' });
  expect(await receiverOf(scene, 'F1')).toBe(customer);
  await isProven(scene);
});

test('tables are those in force when a document is read again, and its record has their text', async () => {
  const mapping = SALES_MAPPING.replace(', Taux: number', '')
    .replace(
      'calculated-columns:',
      'tables:\n  rates: { file: tables/rates.csv, key: code, value: percent, type: number }\ncalculated-columns:\n  rate: { from: Taux, table: rates }',
    )
    .replace('rate: $Taux', 'rate: $rate');
  await using scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING } });
  mkdirSync(join(scene.root, 'tables'));
  const table = (percent: string) =>
    writeFileSync(join(scene.root, 'tables/rates.csv'), `code;percent\nN;${percent}\n`);
  table('20');
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), mapping);
  scene.drop('ventes.csv', sales(['F1-X6']).replaceAll(';20\n', ';N\n'));
  await scene.night();
  expect(await states(scene)).toEqual({ 'F1-X6': 'rejected' });
  table('10');
  // Another file of the name is no table of the mapping.
  putEverywhere(scene, 'rates.csv', 'code;percent\nN;5\n');
  rmSync(join(scene.root, 'inbox/rates.csv'));
  expect(await commandIn(scene, 'fix', 'F1-X6', 'Num@2=F1', 'Num@3=F1', ...WHY)).toMatchObject({ err: '', code: 0 });
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'authorized' });
  const stamps = (await scene.look((ledger) => ledger.queries.files({ limit: 9 }))).map(
    ({ mapping: stamp }) => stamp!.sha256,
  );
  expect(new Set(stamps).size).toBe(2);
  const texts = stamps.map((sha256) => scene.read(`archive/mappings/${sha256}/files/tables/rates.csv`));
  expect(texts.toSorted()).toEqual(['code;percent\nN;10\n', 'code;percent\nN;20\n']);
  expect(JSON.stringify(await contentOf(scene, 'F1'))).toContain('"percent":10,');
  await isProven(scene);
});

/** Ledger and summaries are lost: what the ledger knows after this comes from receipts alone. */
async function rebuild(scene: Scene): Promise<void> {
  rmSync(join(scene.root, 'state'), { recursive: true });
  const all = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  for (const path of all.filter((one) => one.endsWith('.summary.json'))) rmSync(join(scene.root, path));
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
}

test.each([true, false])(
  'the attachments of a document that a receipt alone shows are those of its content: read again %s',
  async (isReadAgain) => {
    await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
    scene.drop('annexe.pdf', 'PDF of F1, customer Alpha');
    scene.drop('ventes.csv', exportOf(['F1-X6', 'annexe.pdf'], ['F2', 'annexe.pdf']));
    await scene.night();
    await rebuild(scene);
    putEverywhere(scene, 'annexe.pdf', 'PDF of F3, customer Beta');
    if (isReadAgain) await scene.night();
    expect(await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', ...WHY)).toMatchObject({ err: '', code: 3 });
    await scene.night();
    expect(await states(scene)).toEqual({ F1: 'held', F2: 'authorized' });
    expect(await attachedTo(scene, 'F1')).toEqual(['PDF of F1, customer Alpha']);
    expect(scene.read('inbox/annexe.pdf')).toBe('PDF of F3, customer Beta');
    await isProven(scene);
  },
);

test('a document whose attachment no receipt shows takes none by its name, and one that a person names', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('annexe.pdf', 'PDF of F1, customer Alpha');
  scene.drop('ventes.csv', exportOf(['F1', 'annexe.pdf']).replace('10,50', 'dix'));
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'invalid' });
  await rebuild(scene);
  scene.drop('annexe.pdf', 'PDF of F2, customer Beta');
  scene.drop('annexe-1.pdf', 'PDF of F1, customer Alpha');
  await commandIn(scene, 'fix', 'F1', 'PU=10,50', ...WHY);
  await scene.night();
  const [entry] = await scene.entries();
  expect(entry).toMatchObject({ state: 'invalid', faults: [{ code: 'map/companion-unreadable' }] });
  await commandIn(scene, 'fix', 'F1', 'Pdf=annexe-1.pdf', ...WHY);
  expect(await states(scene)).toEqual({ F1: 'held' });
  expect(await attachedTo(scene, 'F1')).toEqual(['PDF of F1, customer Alpha']);
  expect(scene.files('inbox')).toEqual(['inbox/annexe.pdf']);
});

test('a document that a receipt alone shows keeps the cells that people have corrected', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('annexe.pdf', 'PDF of F1');
  scene.drop('ventes.csv', exportOf(['F1-X6', 'annexe.pdf']));
  await scene.night();
  await commandIn(scene, 'fix', 'F1-X6', 'Qte=3', ...WHY);
  await scene.night();
  const [before] = await scene.entries();
  expect(before).toMatchObject({ state: 'rejected', facts: { amount: '37.80' } });
  await rebuild(scene);
  await scene.night();
  await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', ...WHY);
  const [entry] = await scene.entries();
  expect(entry).toMatchObject({ state: 'held', facts: { identifier: 'F1', amount: '37.80' } });
  await isProven(scene);
});
