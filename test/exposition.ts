/**
 * A strict reading of the text format of Prometheus 0.0.4, by its specification and without the package that writes it:
 * every line has to be HELP, TYPE or a series of the metric before it; an error names the line.
 */
export type Series = {
  readonly name: string;
  readonly labels: { readonly [label: string]: string };
  readonly value: number;
};
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly series: readonly Series[];
};

const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/y;
const ENDINGS: { readonly [type: string]: readonly string[] } = { histogram: ['_bucket', '_sum', '_count'] };

export function parseExposition(text: string): readonly Family[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { name: string; help: string; type: string; series: Series[] }>();
  const seen = new Set<string>();
  let current: string | undefined;
  for (const [n, line] of text.split('\n').entries()) {
    const wrong = (why: string) => new Error(`line ${n + 1}: ${why}: ${line}`);
    if (line === '') continue;
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line) ?? [];
    if (word === 'HELP') {
      if (families.has(name)) throw wrong('a metric twice');
      families.set(name, { name, help: rest, type: '', series: [] });
      current = name;
    } else if (word === 'TYPE') {
      const family = families.get(name);
      if (!family || current !== name || family.series.length > 0) throw wrong('TYPE away from its HELP');
      if (!['counter', 'gauge', 'histogram'].includes(rest)) throw wrong('unknown type');
      family.type = rest;
    } else {
      const series = readSeries(line, wrong);
      const family = families.get(current ?? '');
      const names = (ENDINGS[family?.type ?? ''] ?? ['']).map((ending) => `${current}${ending}`);
      if (!family || !names.includes(series.name)) throw wrong('a series of another metric');
      const key = `${series.name} ${JSON.stringify(Object.entries(series.labels).sort())}`;
      if (seen.has(key)) throw wrong('a series twice');
      seen.add(key);
      family.series.push(series);
    }
  }
  return [...families.values()].map(checked);
}

function readSeries(line: string, wrong: (why: string) => Error): Series {
  const [, name = '', braces, value = ''] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[^\n]*\})? (\S+)$/.exec(line) ?? [];
  if (name === '') throw wrong('no series');
  if (!/^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|NaN|[+-]Inf)$/i.test(value)) throw wrong('no number');
  const labels: { [label: string]: string } = {};
  const inner = braces?.slice(1, -1) ?? '';
  for (let at = 0; at < inner.length; ) {
    LABEL.lastIndex = at;
    const [whole, label, quoted] = LABEL.exec(inner) ?? [];
    if (whole === undefined || label === undefined || quoted === undefined || label in labels)
      throw wrong('wrong labels');
    labels[label] = quoted.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
    at += whole.length;
    if (at < inner.length && inner[at++] !== ',') throw wrong('wrong labels');
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

/** Counters end in _total and are not negative; buckets rise up to +Inf, which is the count. */
function checked(family: Family): Family {
  const { name, type, series } = family;
  if (type === '') throw new Error(`${name} has no type`);
  if (type === 'counter' && (!name.endsWith('_total') || series.some(({ value }) => !(value >= 0))))
    throw new Error(`${name} is not a counter`);
  if (type !== 'histogram') return family;
  const rest = ({ le: _, ...labels }: Series['labels']) => JSON.stringify(labels);
  for (const total of series.filter((one) => one.name.endsWith('_count'))) {
    const buckets = series.filter((one) => one.name.endsWith('_bucket') && rest(one.labels) === rest(total.labels));
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('Inf', 'Infinity')));
    const isRising = buckets.every(
      ({ value }, n) => n === 0 || (value >= buckets[n - 1]!.value && bounds[n]! > bounds[n - 1]!),
    );
    if (!isRising || bounds.at(-1) !== Infinity || buckets.at(-1)?.value !== total.value)
      throw new Error(`${name} is not a histogram`);
  }
  return family;
}

/** The value of one series; undefined without it. */
export function seriesValue(
  families: readonly Family[],
  name: string,
  labels: Series['labels'] = {},
): number | undefined {
  const wanted = JSON.stringify(Object.entries(labels).sort());
  const all = families.flatMap(({ series }) => series);
  return all.find((one) => one.name === name && JSON.stringify(Object.entries(one.labels).sort()) === wanted)?.value;
}
