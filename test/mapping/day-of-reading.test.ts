/** A date that is the day of reading gives a number another year in January, where nothing else identifies the document. */
import { expect, test } from 'vitest';
import { checkInstance } from '../../src/authoring/check-instance.ts';
import { openScene, SALES_MAPPING } from '../night.ts';

test.each([
  ['= TODAY()', '', 1],
  [`'= IF($Client = "", TODAY(), $Date)'`, '', 1],
  ['$day', '', 1],
  ['= TODAY()', '\n  never-twice: [Num]', 0],
  ['$Date', '', 0],
])('%s%s', async (date, documents, count) => {
  const mapping = SALES_MAPPING.replace('date: $Date', `date: ${date}`)
    .replace('calculated-columns:', 'calculated-columns:\n  day: = TODAY()')
    .replace('one-per: [Num]', `one-per: [Num]${documents}`);
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const found = checkInstance(scene.root, {}).findings.filter(({ code }) => code === 'map/number-free-again');
  expect(found.map(({ level }) => level)).toEqual(Array.from({ length: count }, () => 'warning'));
});
