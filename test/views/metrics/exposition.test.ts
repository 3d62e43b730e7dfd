/** The text of all metrics at once: valid, with any letters in labels, and bounded whatever the settings and the ledger hold. */
import { expect, test } from 'vitest';
import { SERVICES } from '../../../src/catalogue.ts';
import { STATE_NAMES } from '../../../src/model/state.ts';
import { noValues } from '../../../src/search/ledger-sums.ts';
import { exposition } from '../../../src/views/metrics/exposition.ts';
import { METRICS, type MetricEntry, type MetricName } from '../../../src/views/metrics/metric-list.ts';
import { MOST_EXPECTED, type Sample, type Samples } from '../../../src/views/metrics/read-metrics.ts';
import { parseExposition, seriesValue } from '../../exposition.ts';

const VALUES: { readonly [label: string]: readonly string[] } = {
  service: SERVICES.map(({ name }) => name),
  state: STATE_NAMES,
  outcome: STATE_NAMES,
  expect: Array.from({ length: MOST_EXPECTED }, (_, n) => `export ${n}`),
  kind: ['run', 'watch'],
  version: ['1.2.3'],
};

/** Every series that there can be. */
function fullest(): Samples {
  return new Map(
    (Object.entries(METRICS) as [MetricName, MetricEntry][]).map(([name, { kind, labels, buckets = [] }]) => {
      let all: { [label: string]: string }[] = [{}];
      for (const label of labels)
        all = all.flatMap((one) => VALUES[label]!.map((value) => ({ ...one, [label]: value })));
      const value = kind === 'histogram' ? noValues(buckets) : 1;
      return [name, all.map((of): Sample => ({ labels: of, value }))];
    }),
  );
}

test('all series together are valid, in the order of the list, and at most 500', async () => {
  const families = parseExposition(exposition(fullest()));
  expect(families.map(({ name }) => name)).toEqual(Object.keys(METRICS).map((name) => `nightpost_${name}`));
  expect(families.reduce((sum, { series }) => sum + series.length, 0)).toBeLessThanOrEqual(500);
});

test('a label keeps quotes, line ends, backslashes and every other letter', async () => {
  const odd = [
    '',
    '"',
    '\n',
    '\\',
    '\\n',
    '\\\\n"',
    '"}',
    '", le="',
    'a}b{c',
    ',',
    '=',
    '\r',
    '\t',
    '\0',
    '\u2028',
    'é 😀 ﷽',
    '# HELP x',
  ];
  const samples = odd.map((text, n) => ({ labels: { expect: text }, value: n / 8 }));
  const families = parseExposition(exposition(new Map([['export_age_seconds', samples]])));
  for (const { labels, value } of samples)
    expect(seriesValue(families, 'nightpost_export_age_seconds', labels)).toBe(value);
});

test('numbers that are not finite have the words of the format, and a label that the list does not have is a defect', () => {
  const samples = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21, 0].map((value, n) => ({
    labels: { expect: String(n) },
    value,
  }));
  const lines = exposition(new Map([['export_age_seconds', samples]])).split('\n');
  const values = lines.filter((line) => line.startsWith('nightpost_')).map((line) => line.split(' ').at(-1));
  expect(values).toEqual(['NaN', '+Inf', '-Inf', '1e+21', '0']);
  expect(() => exposition(new Map([['export_age_seconds', [{ labels: { customer: 'x' }, value: 1 }]]]))).toThrow();
});
