/** A draft is made only of what the reader takes: XML and declared encodings are judged by the same code. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inferDraft } from '../../src/infer/infer-draft.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../../src/model/identifiers.ts';

const tests = { siren: isSiren, siret: isSiret, vat: isFrenchVat, nit: isNit, dui: isDui };
const SAMPLE = readFileSync(new URL('samples/sales-nested.xml', import.meta.url), 'utf8').replace(
  /^<\?xml[^>]*>\s*/,
  '',
);
const ROOT = /^<[^\s>/]+/.exec(SAMPLE)![0];

const inferred = (text: string) =>
  inferDraft({ bytes: Buffer.from(text), file: 'sample.xml', id: 'draft', target: 'fr-invoice', tests });

it('takes the sample as it is', () => {
  expect(inferred(SAMPLE)).toHaveProperty('mapping');
});

it.each([
  ['a name that begins with a digit behind its prefix', SAMPLE.replace(ROOT, `${ROOT} xmlns:p="urn:p" p:1="x"`)],
  ['a namespace with blanks around it', SAMPLE.replace(ROOT, `${ROOT} xmlns:p=" urn:p "`)],
  [
    'more than 256 attributes',
    SAMPLE.replace(ROOT, ROOT + Array.from({ length: 257 }, (_, n) => ` a${n}="x"`).join('')),
  ],
  ['more than 64 levels', SAMPLE.replace(/(<\/[^>]+>\s*)$/, `${'<a>'.repeat(64)}${'</a>'.repeat(64)}$1`)],
])('refuses %s', (_, text) => {
  expect(inferred(text)).toHaveProperty('problem');
});

it.each(['base64', 'utf-7', 'cesu-8'])('asks about a declared encoding that the reader does not know: %s', (name) => {
  const result = inferred(`<?xml version="1.0" encoding="${name}"?>\n${SAMPLE}`);
  const asked = 'questions' in result ? result.questions.filter(({ at }) => at === 'source.encoding') : [];
  const refused = 'problem' in result;
  expect([refused, asked.some(({ says }) => says.includes(name))]).toEqual([false, true]);
});
