/** Two companies, or journals, that count from 1: the number alone does not make a document. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inferDraft } from '../../src/infer/infer-draft.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../../src/model/identifiers.ts';

const tests = { siren: isSiren, siret: isSiret, vat: isFrenchVat, nit: isNit, dui: isDui };

async function draftOf(lines: readonly string[]) {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const result = await inferDraft({ bytes, file: 'sample.csv', id: 'draft', target: 'fr-invoice', tests });
  if ('problem' in result) throw new Error(result.problem.id);
  return { ...parse(result.mapping), asked: result.questions.map(({ at }) => at) };
}

const CODES = ['10', '20'];
/** Six invoices of each company, each of two or three lines, with the same numbers. */
function exportOf(scope: string, sorted: boolean): readonly string[] {
  const invoices = CODES.flatMap((code, company) =>
    Array.from({ length: 6 }, (_, at) => {
      const day = `${String(1 + at + company * 9).padStart(2, '0')}/09/2026`;
      const total = `${(at + 2) * (company + 3)},00`;
      const lines = Array.from({ length: 2 + (at % 2) }, (_, n) => `Art ${n};${n + 1};${company + 1},50`);
      return { at, text: lines.map((line) => `${code};${100 + at};${day};Client ${company}${at};${line};20;${total}`) };
    }),
  );
  const order = sorted ? invoices : invoices.toSorted((a, b) => a.at - b.at);
  return [`${scope};PIECE;DTPIECE;Client;Designation;Qte;PU;TVA;TotalTTC`, ...order.flatMap(({ text }) => text)];
}

describe.each(['SOC', 'Journal', 'Zq'])('%s', (scope) => {
  it.each([true, false])('is a part of the key, sorted by it: %s', async (sorted) => {
    const { documents, output, asked } = await draftOf(exportOf(scope, sorted));
    expect(documents['one-per']).toEqual([scope, 'PIECE']);
    expect(documents['never-twice']).toEqual([scope, 'PIECE']);
    expect(documents).not.toHaveProperty('rows');
    expect(output.document.date).toBe('$DTPIECE');
    expect(asked).toContain('documents.one-per');
  });
});

it('a column of lines never is one', async () => {
  const lines = [1, 2, 3, 4].flatMap((n) =>
    ['a', 'b'].map((article) => `${100 + n};0${n}/09/2026;Client ${n};${article};1;2,50;20`),
  );
  const { documents } = await draftOf(['PIECE;DTPIECE;Client;Article;Qte;PU;TVA', ...lines]);
  expect(documents['one-per']).toEqual(['PIECE']);
});
