/** Documents that are shown together: what the first of them met is no sentence about all. */
import { expect, test } from 'vitest';
import { format, wordsOf } from '../../../src/i18n/message.ts';
import { ERRORS } from '../../../src/i18n/messages/cli-views-messages.ts';
import { stateInfo } from '../../../src/model/state.ts';
import { readTopics } from '../../../src/notices/waiting-topics.ts';
import type { NightReport } from '../../../src/views/reporting/report-shape.ts';
import { describeGroup } from '../../../src/views/wording/cause-words.ts';
import { openScene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

test('a report and a mail say of a group what is true of each document', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1-XLOST', 'F2-XHTML']));
  scene.drop('ventes-2.csv', sales(['W1', 'W2'], 'x'));
  const wrong = ['W3', 'W4', 'W5'].map((number, n) =>
    sales([number], `${n}o`)
      .split('\n')
      .slice(n && 1),
  );
  scene.drop('ventes-3.csv', `${wrong.flatMap((lines) => lines.filter(Boolean)).join('\n')}\n`);
  const { causes } = JSON.parse((await commandIn(scene, 'run', '--json')).out) as NightReport;
  const saysOf = (document: string) => causes.find(({ documents }) => documents.includes(document))!.says;
  expect(saysOf('F1-XLOST')).toEqual(wordsOf(stateInfo('in-doubt').says));
  const start = (language: 'en' | 'fr') => format(ERRORS.forExample({ says: '' }), language);
  expect(saysOf('W3').fr.startsWith(start('fr'))).toBe(true);
  // All of them have the same words.
  expect(saysOf('W1').en.startsWith(start('en'))).toBe(false);
  const topics = await scene.desk(async (place) => await readTopics(place, new Date(), {}));
  const mailed = topics.map(({ words }) => format(words('full', { language: 'en', zone: 'UTC' }), 'en'));
  expect(mailed.filter((text) => text.includes(start('en'))).map((text) => text[0])).toEqual(['5']);
});

test('refused documents that a person has set aside have the words of the person', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1-X403']));
  await scene.night();
  expect((await commandIn(scene, 'set-aside', 'F1-X403', '--by', 'ana', '--reason', 'paper')).code).toBe(0);
  const words = await scene.desk(async ({ ledger }) => {
    for await (const entry of ledger.queries.find({ states: ['refused'] }))
      return describeGroup(entry, { count: 2 }, 'en');
    return undefined;
  });
  expect(words).toBe('ana: paper');
});
