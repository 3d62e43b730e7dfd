/** Files that lie beside an export: attached, moved with it, waited for, and never taken from anywhere else. */
import { linkSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/runs/open-run.ts';
import { describeSandbox } from '../../../src/sandbox/describe.ts';
import { preview } from '../../../src/views/preview/preview-files.ts';
import { openScene, SALES_MAPPING, type Scene, tally } from '../../night.ts';
import { proofOf } from '../../samples/night.ts';

const MAPPING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  'totals:',
  `attachments:
    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }
  totals:`,
);
const HEAD = 'Num;Date;Client;Lig;Qte;PU;Taux;Pdf';
const export_ = (...pairs: readonly (readonly [string, string])[]) =>
  [HEAD, ...pairs.map(([number, pdf]) => `${number};05/09/2026;Client;1;2;10,50;20;${pdf}`), ''].join('\n');
const PDF = '%PDF-1.7 a small one\n';

const scene = (settings: object = {}) => openScene({ mappings: { 'sales.yaml': MAPPING }, settings });

async function contentOf(
  from: Scene,
  number: string,
): Promise<{ payload: { attachments: readonly { content: string }[] } }> {
  const content = await from.look(async (ledger) => {
    for await (const entry of ledger.queries.find({ ids: [number] })) return await ledger.queries.contentOf(entry.id);
    return undefined;
  });
  const found = JSON.parse(content!) as { payload: { attachments: readonly { content: string }[] } };
  return found.payload ? found : ({ payload: found } as never);
}

const codes = async (from: Scene) => (await from.entries()).flatMap(({ faults }) => faults.map(({ code }) => code));

test('the file travels inside the document, and goes to the archive with the export', async () => {
  await using night = await scene();
  night.drop('F1.pdf', PDF);
  night.drop('F9.pdf', 'no one asks for this one');
  night.drop('ventes.csv', export_(['F1', 'F1.pdf'], ['F2', '']));
  const { told } = await night.night();
  expect(told.filter(({ what }) => what === 'inbox-refused' || what === 'file-refused')).toEqual([]);
  expect(tally(await night.entries())).toEqual({ authorized: 2 });
  const { payload } = await contentOf(night, 'F1');
  expect(Buffer.from(payload.attachments[0]!.content, 'base64').toString()).toBe(PDF);
  expect(night.files('inbox')).toEqual(['inbox/F9.pdf']);
  expect(
    night
      .files('archive')
      .map((path) => path.replace(/.*-/, ''))
      .toSorted(),
  ).toEqual(['F1.pdf', 'ventes.csv']);
});

test('a missing file refuses its document alone; what a refused one names stays for the correction', async () => {
  await using night = await scene();
  night.drop('F1.pdf', PDF);
  night.drop('F3.pdf', PDF);
  const broken = 'F3;05/09/2026;C;1;x;1;20;F3.pdf\n';
  night.drop('ventes.csv', `${export_(['F1', 'F1.pdf'], ['F2', 'F2.pdf'])}${broken}`);
  await night.night();
  expect(tally(await night.entries())).toEqual({ authorized: 1, invalid: 2 });
  expect((await codes(night)).toSorted()).toEqual(['map/no-companion', 'map/not-a-number']);
  expect(night.files('inbox')).toEqual(['inbox/F3.pdf']);
  expect((await proofOf(night.instance())).found).toEqual([]);
});

test.each([
  ['../nightpost.yaml', 'map/companion-name'],
  ['..\\x.pdf', 'map/companion-name'],
  ['C:x.pdf', 'map/companion-name'],
  ['.x.pdf', 'map/companion-name'],
  ['ventes-b.csv', 'map/companion-name'],
  ['link.pdf', 'map/companion-unreadable'],
  ['folder.pdf', 'map/companion-unreadable'],
  ['empty.pdf', 'map/companion-unreadable'],
  ['large.pdf', 'map/companion-too-large'],
])('%s is not attached: %s', async (name, code) => {
  await using night = await scene();
  const inbox = join(night.root, 'inbox');
  symlinkSync(join(night.root, 'nightpost.yaml'), join(inbox, 'link.pdf'));
  mkdirSync(join(inbox, 'folder.pdf'));
  night.drop('empty.pdf', '');
  if (name === 'large.pdf') writeFileSync(join(inbox, 'large.pdf'), Buffer.alloc(20 * 1024 * 1024 + 1));
  night.drop('ventes.csv', export_(['F1', name]));
  await night.night();
  expect(await codes(night)).toEqual([code]);
});

test('a file with a second name is not attached, and the other name keeps its rights', async () => {
  await using night = await scene();
  const elsewhere = join(night.root, 'F1.pdf');
  writeFileSync(elsewhere, PDF, { mode: 0o640 });
  linkSync(elsewhere, join(night.root, 'inbox', 'F1.pdf'));
  const past = new Date(Date.now() - 60_000);
  utimesSync(elsewhere, past, past);
  night.drop('ventes.csv', export_(['F1', 'F1.pdf']));
  await night.night();
  expect(await codes(night)).toEqual(['map/companion-unreadable']);
  expect(statSync(elsewhere).mode & 0o777).toBe(0o640);
  expect(night.files('inbox')).toEqual(['inbox/F1.pdf']);
});

test.each([
  ['a secret as it is', (secret: string) => `${secret}\n`],
  ['a secret inside a settings file', (secret: string) => `services:\n  fr: { client-secret: "${secret}" }\n`],
  ['a secret in Base64', (secret: string) => Buffer.from(secret).toString('base64')],
])('%s is not attached', async (_, content) => {
  await using night = await scene();
  const { environment } = describeSandbox(night.sandbox);
  const secret = Object.values(environment).find((value) => value.length >= 8)!;
  night.drop('F1.pdf', content(secret));
  night.drop('ventes.csv', export_(['F1', 'F1.pdf']));
  await night.night();
  expect(await codes(night)).toEqual(['map/companion-secret']);
  expect(night.sandbox.acceptances()).toEqual([]);
});

test('a file that is still being written is waited for', async () => {
  await using night = await scene({ inbox: { settle: '30s' } });
  night.drop('ventes.csv', export_(['F1', 'F1.pdf']));
  writeFileSync(join(night.root, 'inbox', 'F1.pdf'), '%PDF');
  const sleeps: number[] = [];
  const clock = {
    ...systemClock,
    now: () => new Date(Date.now() + sleeps.length * 30_000),
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (ms !== 30_000) return await systemClock.sleep(ms, signal);
      sleeps.push(ms);
      // It has grown meanwhile, and then it stays as it is.
      if (sleeps.length > 1) return;
      writeFileSync(join(night.root, 'inbox', 'F1.pdf'), PDF);
      const past = new Date(Date.now() - 90_000);
      utimesSync(join(night.root, 'inbox', 'F1.pdf'), past, past);
    },
  };
  await night.night({ clock, files: [join(night.root, 'inbox', 'ventes.csv')] });
  expect(sleeps).toEqual([30_000, 30_000]);
  const { payload } = await contentOf(night, 'F1');
  expect(Buffer.from(payload.attachments[0]!.content, 'base64').toString()).toBe(PDF);
});

test('the waiting has an end: the document is refused', async () => {
  await using night = await scene({ inbox: { settle: '30s' } });
  night.drop('ventes.csv', export_(['F1', 'F1.pdf']));
  writeFileSync(join(night.root, 'inbox', 'F1.pdf'), PDF);
  const sleeps: number[] = [];
  const clock = {
    ...systemClock,
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (ms !== 30_000) return await systemClock.sleep(ms, signal);
      sleeps.push(ms);
    },
  };
  await night.night({ clock, files: [join(night.root, 'inbox', 'ventes.csv')] });
  expect(sleeps).toEqual([30_000, 30_000, 30_000]);
  expect(await codes(night)).toEqual(['map/companion-growing']);
  expect(night.files('inbox')).toEqual(['inbox/F1.pdf']);
});

test('a file that was replaced meanwhile is not moved away unread', async () => {
  await using night = await scene();
  night.drop('F1.pdf', PDF);
  night.drop('ventes.csv', export_(['F1', 'F1.pdf']));
  const { told } = await night.night({
    onEvent: ({ what }) => {
      if (what === 'file-admitted') night.drop('F1.pdf', 'another one');
    },
  });
  expect(told.flatMap((one) => (one.what === 'inbox-refused' ? [one.fault.code] : []))).toEqual([
    'intake/companion-stays',
  ]);
  expect(night.read('inbox/F1.pdf')).toBe('another one');
});

test('a preview finds attachments next to its file', async () => {
  await using night = await scene();
  const folder = join(night.root, 'samples');
  mkdirSync(folder);
  writeFileSync(join(folder, 'ventes.csv'), export_(['F1', 'F1.pdf']));
  const valid = async () => {
    for await (const one of preview(night.instance(), join(folder, 'ventes.csv'), new Date())) return one.valid;
    return undefined;
  };
  expect(await valid()).toBe(false);
  writeFileSync(join(folder, 'F1.pdf'), PDF);
  expect(await valid()).toBe(true);
  rmSync(folder, { recursive: true });
});
