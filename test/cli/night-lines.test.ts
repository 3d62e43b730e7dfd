/** The table at the end of a night of many files: those that wait for a person, and the totals of the others. */
import { expect, test } from 'vitest';
import { format } from '../../src/i18n/message.ts';
import { REPORT_COUNT } from '../../src/i18n/messages/cli-report-messages.ts';
import type { NightReport } from '../../src/views/reporting/report-shape.ts';
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

test('the line of a run counts each refused file of its table, also two of the same bytes', async () => {
  await using scene = await openScene();
  for (const name of ['ventes-1.csv', 'ventes-2.csv']) scene.drop(name, 'Other;Header\na;b\n');
  scene.drop('ventes-3.csv', 'Another;Header\na;b\n');
  const { out } = await commandIn(scene, 'run');
  const { files, filesRefused } = JSON.parse((await commandIn(scene, 'report', '--json')).out) as NightReport;
  expect([files.filter(({ state }) => state === 'refused').length, filesRefused]).toEqual([3, 2]);
  expect(out).toContain(format(REPORT_COUNT.filesRefused({ count: 2 }), 'en'));
  expect(out).toContain(format(REPORT_COUNT.refusedAgain({ count: 1 }), 'en'));
});
