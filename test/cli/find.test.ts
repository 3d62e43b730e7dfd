/** `find` and `list` as people use them: a number in either form, an amount, a name; one hit in short, several as a list. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DocumentList, FoundDocuments } from '../../src/views/queries/find-documents.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { NOTES_MAPPING, notes } from './notes.ts';

async function find(scene: Scene, ...words: string[]): Promise<FoundDocuments> {
  return JSON.parse((await commandIn(scene, 'find', ...words, '--json')).out) as FoundDocuments;
}

async function list(scene: Scene, ...options: string[]): Promise<DocumentList> {
  return JSON.parse((await commandIn(scene, 'list', '--json', ...options)).out) as DocumentList;
}

const withNotes = () =>
  openScene({ mappings: { 'notes.yaml': NOTES_MAPPING }, settings: { receipts: { answers: 'xml' } } });

test('a remission note is found, and shown, by its official number and by that of the ERP', async () => {
  await using scene = await withNotes();
  scene.drop('notas.csv', notes('50014', '50015'));
  await scene.night();
  const [note] = (await find(scene, '50014')).documents;
  expect(note).toMatchObject({ number: '1', sourceNumber: '50014', state: 'authorized', match: 'number' });
  expect((await find(scene, '1')).documents[0]).toMatchObject({ id: note!.id, match: 'number' });
  expect((await find(scene, '0014')).documents.map(({ id }) => id)).toEqual([note!.id]);
  for (const name of ['50014', '1', note!.id]) {
    const shown = JSON.parse((await commandIn(scene, 'show', name, '--json')).out) as { id: string };
    expect([name, shown.id]).toEqual([name, note!.id]);
  }
  expect((await commandIn(scene, 'show', '50099')).code).toBe(2);
});

test('a number that is official for one note and of the ERP for another one shows both, and a decision means the official', async () => {
  await using scene = await withNotes();
  scene.drop('notas.csv', notes('2', '3'));
  await scene.night();
  const shown = JSON.parse((await commandIn(scene, 'show', '2', '--json')).out) as readonly { document: object }[];
  expect(shown).toHaveLength(2);
  const found = await find(scene, '2');
  expect(found.documents.map(({ number, sourceNumber }) => [number, sourceNumber]).sort()).toEqual([
    ['1', '2'],
    ['2', '3'],
  ]);
  const errors = JSON.parse((await commandIn(scene, 'errors', '2', '--state', 'authorized', '--json')).out);
  expect(errors.documents.map(({ facts }: { facts: { identifier: string } }) => facts.identifier)).toEqual(['2']);
});

test('the answers for the ERP have its own number where the official one differs', async () => {
  await using scene = await withNotes();
  scene.drop('notas.csv', notes('50014'));
  await scene.night();
  const reports = join(scene.root, 'reports');
  const [answers] = readdirSync(reports).filter((name) => name.endsWith('.answers.xml'));
  expect(readFileSync(join(reports, answers!), 'utf8')).toContain('number="1" source-number="50014"');
});

test('one document is printed in short; a copy of it does not make it a choice', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  const [document] = (await find(scene, 'F1')).documents;
  const short = (await commandIn(scene, 'find', 'f1')).out;
  for (const part of ['F1', 'Client F1', '50.40 EUR', document!.trackingId!, `nightpost show ${document!.id}`]) {
    expect(short).toContain(part);
  }
  scene.drop('ventes-again.csv', sales(['F1', 'F3']));
  await scene.night();
  const found = await find(scene, 'F1');
  expect(found.documents.map(({ state }) => state)).toEqual(['authorized', 'duplicate']);
  expect((await commandIn(scene, 'find', 'f1')).out).toContain(`nightpost show ${document!.id}`);
});

test.each([
  [['50,40'], 2],
  [['50.40', 'EUR'], 2],
  [['client'], 2],
  [['CLIENT', 'f2'], 1],
  [['ventes.csv'], 2],
  [['nothing'], 0],
  [['…'], 0],
])('find %j finds %i', async (words, count) => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  const { documents, more } = await find(scene, ...words);
  expect([documents.length, more]).toEqual([count, false]);
  expect((await commandIn(scene, 'find', ...words)).code).toBe(0);
});

test('a search of more documents than the limit reports that there are more', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']));
  await scene.night();
  const { documents, more } = await find(scene, 'client', '--limit', '2');
  expect([documents.map(({ number }) => number), more]).toEqual([['F3', 'F2'], true]);
});

test('a list goes page by page, and prints the id for the next one', async () => {
  await using scene = await openScene();
  expect((await list(scene)).documents).toEqual([]);
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']));
  await scene.night();
  const first = await list(scene, '--limit', '2');
  expect(first.documents.map(({ number }) => number)).toEqual(['F3', 'F2']);
  expect((await commandIn(scene, 'list', '--limit', '2')).out).toContain(`--after ${first.next}`);
  const second = await list(scene, '--limit', '2', '--after', first.next!);
  expect([second.documents.map(({ number }) => number), second.next]).toEqual([['F1'], null]);
  expect(second.documents[0]).toMatchObject({
    receipt: 'F1',
    state: 'authorized',
    service: 'fr',
    class: 'invoice',
    date: '2026-09-05',
    counterparty: 'Client F1',
    amount: '50.40',
    currency: 'EUR',
    mapping: 'sales',
    warnings: 0,
  });
});

test.each([
  ['--day', '2026-02-30'],
  ['--amount', 'much'],
  ['--limit', '0'],
  ['--state', 'wrong'],
])('list %s %s is refused', async (option, value) => {
  await using scene = await openScene();
  expect((await commandIn(scene, 'list', option, value)).code).toBe(2);
});

test('a search works next to a run that has the lock, and changes nothing in the ledger', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  const before = readFileSync(join(scene.root, 'state/ledger.sqlite'));
  await scene.desk(async () => {
    expect((await find(scene, 'F1')).documents).toHaveLength(1);
  });
  expect((await find(scene, 'F1')).documents).toHaveLength(1);
  expect((await list(scene)).documents).toHaveLength(1);
  expect(readFileSync(join(scene.root, 'state/ledger.sqlite')).length).toBe(before.length);
});
