import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compileMessages } from '../../build/messages.ts';
import { decimalText, format, type Message, message, templateOf } from '../../src/i18n/message.ts';
import { COUNT } from '../../src/i18n/messages/cli-session-messages.ts';
import { type Fault, localize, readStoredFaults, storedFaults, withMessage } from '../../src/model/fault.ts';
import { allMessages, formsOf, LANGUAGES } from '../catalogue.ts';

const ROOT = join(import.meta.dirname, '../..');
const src = join(ROOT, 'src');
const BYTES = /^(?:next-action|readme|decision)/;
/** What receipts and folders hold. */
const RECEIPTS = JSON.parse(readFileSync(join(ROOT, 'locales/compiled/receipt-texts.json'), 'utf8')).fr as object;

/** A catalogue of its own, compiled. */
function compiled(texts: { readonly [language: string]: string }) {
  const root = mkdtempSync(join(tmpdir(), 'nightpost-locales-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [language, text] of Object.entries(texts)) {
    mkdirSync(join(root, 'locales', language), { recursive: true });
    writeFileSync(join(root, 'locales', language, 'cli.yaml'), text);
  }
  return compileMessages(root);
}

test('what the program loads is what locales/ says', () => {
  const { files, faults } = compileMessages();
  expect(faults).toEqual([]);
  for (const [path, text] of files) {
    expect(readFileSync(join(ROOT, path), 'utf8'), `${path}: npm run messages writes it`).toBe(text);
  }
});

test('a message without its translation, or with other placeholders, is a fault', () => {
  const en = 'rows:\n  one: row {row}\n  two: rows\n  three: plain\n';
  const { faults } = compiled({ en, fr: 'rows:\n  one: ligne\n  three: simple\n', es: en.replace('{row}', '{fila}') });
  expect(faults.map((fault) => fault.split(' ').slice(0, 2).join(' '))).toEqual([
    'fr: rows.one',
    'es: rows.one',
    'fr: rows.two',
  ]);
  expect(compiled({ en, fr: en, es: "rows:\n  one: fila {row\n  two: filas\n  three: '{x}'\n" }).faults).not.toEqual(
    [],
  );
  expect(compiled({ en, fr: en, es: `${en}  four: más\n` }).faults).toHaveLength(1);
});

test('values are in their places, messages among them too', () => {
  const inner: Message = { id: 'count.document', values: { count: 2 } };
  const outer = { id: 'state-count.inState', values: { count: 3, state: inner } };
  expect(LANGUAGES.map((language) => format(outer, language))).toEqual([
    '3 2 documents',
    '3 2 documents',
    '3 2 documentos',
  ]);
  const list = { id: 'state-count.inState', values: { count: 1, state: ['{row}', inner] } };
  expect(format(list, 'en')).toBe('1 {row}, 2 documents');
});

test.each([
  [0, '0 documents', '0 document', '0 documentos'],
  [1, '1 document', '1 document', '1 documento'],
  [2, '2 documents', '2 documents', '2 documentos'],
  [1_000_000, '1000000 documents', '1000000 documents', '1000000 documentos'],
])('%i documents are counted as each language does', (count, ...texts) => {
  expect(LANGUAGES.map((language) => format(COUNT.document({ count }), language))).toEqual(texts);
});

test('a missing or misnamed value does not compile', () => {
  const maker = message<'row' | 'text'>('x');
  // @ts-expect-error a value is missing
  maker({ text: 'a' });
  // @ts-expect-error a value has another name
  maker({ text: 'a', line: 2 });
  // @ts-expect-error a message without values takes none
  message('y')({ text: 'a' });
  expect(maker({ text: 'a', row: 2 })).toEqual({ id: 'x', values: { text: 'a', row: 2 } });
});

test('a decimal has the sign of the language', () => {
  expect(LANGUAGES.map((language) => format(decimalText('12.50'), language))).toEqual(['12.50', '12,50', '12.50']);
});

test('a fault is English until it is worded; nothing of the other languages is written down', () => {
  const words = withMessage(COUNT.document({ count: 2 }), COUNT.row({ count: 1 }));
  const fault: Fault = { code: 'map/x', level: 'error', ...words, given: 'a' };
  expect(fault).toMatchObject({ message: '2 documents', hint: '1 row' });
  expect(Object.keys(JSON.parse(JSON.stringify(fault)))).toEqual(['code', 'level', 'message', 'hint', 'given']);
  const [spanish] = localize([fault], 'es');
  expect(JSON.parse(JSON.stringify(spanish))).toEqual({
    ...{ code: 'map/x', level: 'error', given: 'a', message: '2 documentos', hint: '1 fila' },
  });
  expect(localize([spanish!], 'fr')[0]!.message).toBe('2 documents');
});

describe('a fault that a ledger stores', () => {
  const words = withMessage(COUNT.document({ count: 2 }), COUNT.row({ count: 1 }));
  const fault: Fault = { code: 'map/x', level: 'error', ...words };
  const changed = (id: string) => storedFaults([fault], 'fr').replaceAll('count.document', id);

  test('has the words of its time, and is shown in the current language', () => {
    const [read] = readStoredFaults(storedFaults([fault], 'fr'));
    expect(read).toEqual({ code: 'map/x', level: 'error', message: '2 documents', hint: '1 ligne' });
    expect(JSON.stringify(read)).not.toContain('phrases');
    expect(localize([read!], 'es')[0]).toMatchObject({ message: '2 documentos', hint: '1 fila' });
  });

  test('keeps the words of its time when it is stored again in another language', () => {
    const [again] = readStoredFaults(storedFaults(readStoredFaults(storedFaults([fault], 'fr')), 'es'));
    expect(again!.hint).toBe('1 ligne');
    expect(localize([again!], 'es')[0]!.hint).toBe('1 fila');
  });

  test('keeps its words when the current catalog has no such message, or one with other values', () => {
    for (const id of ['no-such.message', 'state-count.inState']) {
      expect(localize(readStoredFaults(changed(id)), 'es')[0]).toMatchObject({
        message: '2 documents',
        hint: '1 ligne',
      });
    }
  });

  test('is found by its code alone, not by a text that looks like one', () => {
    const text = '"code":"map/other"';
    const stored = storedFaults(
      [{ ...fault, ...withMessage({ id: 'state-count.inState', values: { count: 2, state: text } }) }],
      'en',
    );
    expect(stored).not.toContain(text);
    expect(stored).toContain('"code":"map/x"');
  });

  test('of an older version, or with a long text in it, has its words alone', () => {
    const old = '[{"code":"map/x","level":"error","message":"as it was written"}]';
    expect(storedFaults(readStoredFaults(old), 'es')).toBe(old);
    const long = withMessage({ id: 'state-count.inState', values: { count: 2, state: 'x'.repeat(5000) } });
    expect(storedFaults([{ ...fault, ...long }], 'en').length).toBeLessThan(700);
  });
});

test('what was recorded keeps its words, and what is long is cut', () => {
  const old: Fault = { code: 'map/x', level: 'error', message: 'as it was written' };
  expect(localize([old], 'es')).toEqual([old]);
  const state = 'x'.repeat(5000);
  const words = withMessage({ id: 'state-count.inState', values: { count: 2, state } });
  const long: Fault = { code: 'map/x', level: 'error', ...words };
  expect(localize([long], 'es')[0]!.message).toHaveLength(505);
});

test('every message has the signs of its language', () => {
  const messages = allMessages();
  expect(messages.length).toBeGreaterThan(1000);
  for (const { id, texts } of messages) {
    const [english, french, spanish] = LANGUAGES.map((language) => formsOf(texts[language]));
    for (const language of ['fr', 'es'] as const) {
      const text = texts[language];
      expect(text.trim(), `${id} ${language}`).toBe(text);
      expect(text, `${id} ${language}`).not.toBe('');
      const isProse = /[a-z]{3,} [a-z]{2,} /.test(english![0]!.replace(/<\w+>/g, ''));
      if (isProse && !id.startsWith('rule.')) expect(text, `${id} ${language}`).not.toBe(texts.en);
    }
    for (const text of french!) {
      // In a formula a semicolon stands as spreadsheets have it.
      const prose = text.replace(/= [\p{Lu}.-]+\([^)]*\)/gu, '').replace(/&\w+;/g, '');
      expect(prose, `${id}: a space before ; ? !`).not.toMatch(/\S[;?!](?:\s|$)/);
      // Receipts and README.txt of users have the straight sign: they stay as they are byte for byte.
      if (!BYTES.test(id)) expect(text, `${id}: ’ where letters stand around it`).not.toMatch(/\p{L}'\p{L}/u);
      expect(text, id).not.toMatch(/«(?![ \u00a0])|(?<![ \u00a0])»/);
      // The build sets the no-break spaces, except in what receipts hold.
      if (!(id in RECEIPTS))
        expect(text, `${id}: a line may begin with : ; ? ! or »`).not.toMatch(/ [:;?!»](?:\s|$)|« /);
    }
    for (const text of spanish!) {
      expect(text, id).not.toMatch(/« | »/);
      expect(text, id).not.toMatch(/ [;:?!]/);
      expect((text.match(/¿/g) ?? []).length, id).toBe((text.match(/\?/g) ?? []).length);
    }
  }
});

test('a message is shown without values as manuals show it', () => {
  for (const { id } of allMessages()) {
    for (const language of LANGUAGES) expect(templateOf(id, language), id).not.toContain('undefined');
  }
  expect(templateOf('state-count.inState', 'en')).toBe('{count} {state}');
});

test('what stages find wrong with data is said by messages alone', () => {
  const raw = ['readers', 'inbox', 'documents', 'pipeline', 'ledger'].flatMap((folder) =>
    readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => {
        const found = /\bcode: [^\n]*,\s+level: '(?:error|warning)',\s+message\b/.exec(
          readFileSync(join(src, folder, path), 'utf8'),
        );
        return found ? [`${folder}/${path}: ${found[0]}`] : [];
      }),
  );
  expect(raw).toEqual([]);
});
