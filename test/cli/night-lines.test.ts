/** The table at the end of a night of many files: those that wait for a person, and the totals of the others. */
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const nameOf = (n: number) => `ventes-${String(n).padStart(2, '0')}.csv`;

/** Files of one document each, of 50.40 with VAT; one document that cannot be made, and one file without any. */
async function nightOf(files: number, language: 'en' | 'fr' | 'es', ...flags: string[]) {
  await using scene = await openScene({ settings: { rules: { fr: 'wire', sv: 'wire', language } } });
  for (let n = 0; n < files; n++) scene.drop(nameOf(n), sales([`N${n}`], n === 7 ? '2O' : '2'));
  scene.drop('ventes-refused.csv', 'no;such;columns\n1;2;3\n');
  const { code, out } = await commandIn(scene, 'run', ...flags);
  expect(code).toBe(3);
  return out;
}

const filesIn = (out: string) => out.match(/ventes-\w+\.csv/g) ?? [];
const OTHERS = { en: '39 other files', fr: '39 autres fichiers', es: '39 archivos más' };
const AMOUNT = { en: '1 965.60 EUR', fr: '1 965,60 EUR', es: '1 965.60 EUR' };

test.each(['en', 'fr', 'es'] as const)(
  'above 40 files only those that wait for a person have a line (%s)',
  async (language) => {
    const out = await nightOf(40, language);
    expect(filesIn(out)).toEqual([nameOf(7), 'ventes-refused.csv']);
    const others = out.split('\n').find((line) => line.includes(OTHERS[language]))!;
    expect(others.replaceAll('\u202f', ' ')).toMatch(
      new RegExp(`${OTHERS[language]} +39 +39 +0 +${AMOUNT[language]}$`),
    );
  },
);

test('up to 40 files each has a line, and as data always', async () => {
  const out = await nightOf(39, 'en');
  expect(filesIn(out)).toHaveLength(40);
  expect(out).not.toContain('other files');
  const { files } = JSON.parse(await nightOf(40, 'en', '--json'));
  expect(files).toHaveLength(41);
});
