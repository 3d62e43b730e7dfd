/** Draws whole mappings. */
import { type Random, randomFrom } from '../../rigs/random.ts';
import { draw, type Place } from './draw.ts';
import type { Expression } from './expression.ts';
import type { Block, Calculated, Check, Column, Drawn, Each, Form, Kind, List, Part, Table, Value } from './model.ts';

const KINDS: readonly Kind[] = ['number', 'number', 'number', 'text', 'text', 'date'];
const NAMES = ['a', 'B2', 'Net amount', 'Libellé', 'qty', 'x-y', 'Date', 'Z', 'taux', 'Nom'];
const VAT: Table = {
  name: 'vat',
  kind: 'number',
  entries: new Map([
    ['T20', '20'],
    ['T55', '5.5'],
    ['A', '0'],
    ['7', '7.25'],
  ]),
};
const TITLES: Table = {
  name: 'titles',
  kind: 'text',
  entries: new Map([
    ['T20', 'normal'],
    ['A', 'rien'],
    ['007', '1.10'],
    ['é', 'x'],
  ]),
};

export function drawMapping(seed: number): Drawn {
  const random = randomFrom(seed);
  const some = <T>(of: readonly T[], most: number) => of.filter(() => random.isOneIn(2)).slice(0, most);
  const columns: readonly Column[] = [
    { name: 'No', kind: 'text', of: 'document' },
    { name: 'Code', kind: 'text', of: 'row' },
    ...NAMES.slice(0, 4 + random.below(6)).map((name): Column => {
      return { name, kind: random.one(KINDS), of: random.isOneIn(3) ? 'document' : 'row' };
    }),
  ];
  const calculated: Calculated[] = [{ name: 'rate', kind: 'number', of: 'row', form: lookup(VAT, random) }];
  for (const name of some(['net', 'word', 'c d', 'head', 'day'], 5)) {
    const known = [...columns, ...calculated];
    const of = name === 'head' ? 'document' : 'row';
    const here = of === 'document' ? known.filter((one) => one.of === 'document') : known;
    const kind = { net: 'number', word: 'text', 'c d': 'number', head: 'text', day: 'date' }[name] as Kind;
    const overRows = random.isOneIn(3) && of === 'row' ? known : [];
    const formula = draw(kind, random, { here, rows: overRows, isRow: true, sums: 0, paths: [] });
    calculated.push({ name, kind, of, form: { is: 'formula', formula } });
  }
  if (random.isOneIn(2)) calculated.push({ name: 'title', kind: 'text', of: 'row', form: lookup(TITLES, random) });
  const all = [...columns, ...calculated];
  const output = drawOutput(random, all);
  const plain = columns.filter(({ kind }) => kind === 'text');
  const rowsOnly: Place = { here: plain, rows: [], isRow: true, sums: 0, paths: [] };
  const second = columns.filter((one) => one.of === 'document' && one.name !== 'No');
  return {
    ...{ columns, calculated, tables: [VAT, TITLES], output },
    key: ['No', ...(random.isOneIn(3) ? second.slice(0, 1).map(({ name }) => name) : [])],
    rows: random.isOneIn(3) ? 'anywhere' : 'adjacent',
    ...(random.isOneIn(5) && { keep: draw('boolean', random, rowsOnly, 1) }),
    class: random.isOneIn(2)
      ? { is: 'literal', value: 'invoice', kind: 'text' }
      : { is: 'formula', formula: classOf(random, all) },
    checks: drawChecks(random, all),
  };
}

function lookup({ name }: Table, random: Random): Form {
  const otherwise: Form =
    name === 'vat' ? { is: 'literal', value: '3', kind: 'number' } : { is: 'column', name: 'Code' };
  return { is: 'lookup', from: 'Code', table: name, ...(random.isOneIn(2) && { otherwise }) };
}

const documentPlace = (all: readonly Column[]): Place => {
  return { here: all.filter((one) => one.of === 'document'), rows: all, isRow: false, sums: 0, paths: [] };
};

function classOf(random: Random, all: readonly Column[]): Expression {
  const literal = (text: string): Expression => ({ is: 'text', text });
  const condition = draw('boolean', random, documentPlace(all), 2);
  return { is: 'call', name: 'IF', of: [condition, literal('credit-note'), literal('invoice')] };
}

/** What of the output a check and the totals may read. */
const LISTS: Place['paths'] = [
  { path: 'lines.net-amount', kind: 'number', many: true },
  { path: 'totals.subtotals.amount', kind: 'number', many: true },
  { path: 'totals.final-amount', kind: 'number', many: false },
  { path: 'document.date', kind: 'date', many: false },
];

function drawChecks(random: Random, all: readonly Column[]): readonly Check[] {
  const place = { ...documentPlace(all), paths: LISTS };
  return Array.from({ length: random.below(3) }, () => {
    return { that: draw('boolean', random, place, 2), isError: random.isOneIn(4) };
  });
}

function drawOutput(random: Random, all: readonly Column[]): Block {
  const root = documentPlace(all);
  const value = (kind: Kind, place: Place, depth = 2): Value => ({
    is: 'value',
    kind,
    form: drawForm(kind, random, place, depth),
  });
  const literal = (text: string, kind: Kind = 'text'): Value => ({
    is: 'value',
    kind,
    form: { is: 'literal', value: text, kind },
  });
  const block = (entries: Block['entries'], when?: Expression): Block => ({
    is: 'block',
    entries,
    ...(when && { when }),
  });
  const shuffled = (entries: Block['entries']) => {
    const left = [...entries];
    return entries.map(() => left.splice(random.below(left.length), 1)[0]!);
  };
  const maybe = (entries: Block['entries']) => entries.filter(() => !random.isOneIn(4));
  const when = (place: Place) => (random.isOneIn(3) ? draw('boolean', random, place, 2) : undefined);
  const rowsIn = (place: Place): Place => ({ ...place, here: all, isRow: true });
  const groupsIn = (place: Place, by: readonly string[]): Place => {
    return { ...place, here: all.filter((one) => one.of === 'document' || by.includes(one.name)), isRow: false };
  };
  const named = { path: 'document.identifier', kind: 'text', many: false } as const;
  const dated = { path: 'document.date', kind: 'date', many: false } as const;

  const document = block(
    shuffled([
      ['identifier', { is: 'value', kind: 'text', form: { is: 'column', name: 'No' } }],
      ['date', value('date', root)],
      ...maybe([
        ['series', value('text', root)],
        ['currency', literal('EUR')],
        ['language', value('text', { ...root, paths: [{ path: 'identifier', kind: 'text', many: false }] })],
      ]),
    ]),
  );
  const withDocument = { ...root, paths: [named, dated] };

  const line = (place: Place): Block => {
    const sibling = { ...place, paths: [...place.paths, { path: 'net-amount', kind: 'number', many: false } as const] };
    return block(
      shuffled([
        ['net-amount', value('number', place, 3)],
        ...maybe([
          ['number', value('text', place)],
          ['description', value('text', sibling)],
          ['quantity', value('number', sibling)],
          ['unit', literal('C62')],
          ['unit-price', value('number', place)],
          [
            'taxes',
            {
              is: 'list',
              items: [
                block(
                  maybe([
                    ['type', literal('vat')],
                    ['percent', value('number', place)],
                    ['amount', value('number', sibling)],
                  ]),
                  when(sibling),
                ),
              ],
            },
          ],
        ]),
      ]),
      random.isOneIn(4) ? when(place) : undefined,
    );
  };
  const by = () => random.one([['Code'], ['rate'], ['Code', 'rate'], ['No']]);
  const order = () => (random.isOneIn(2) ? { order: random.one(['ascending', 'descending'] as const) } : {});
  const eachRow = (make: Block): Each => ({ is: 'each', by: 'row', make });
  const eachGroup = (columns: readonly string[], make: Block): Each => ({ is: 'each', by: columns, ...order(), make });
  const groupsOfLines = by();
  const lines: Part = random.isOneIn(3)
    ? eachGroup(groupsOfLines, line(groupsIn(withDocument, groupsOfLines)))
    : eachRow(line(rowsIn(withDocument)));

  const groups = by();
  const inGroup = groupsIn(withDocument, groups);
  const subtotals: List = {
    is: 'list',
    items: [
      block(
        [
          ['type', literal('lines-net-amount')],
          ['amount', value('number', withDocument, 3)],
          ['percent', literal('20', 'number')],
        ],
        when(withDocument),
      ),
      eachGroup(
        groups,
        block(
          [
            ['type', literal('tax')],
            ['percent', value('number', inGroup)],
            ['amount', value('number', inGroup, 3)],
            ...maybe([
              [
                'subtotals',
                eachRow(
                  block([
                    ['type', literal('x')],
                    ['amount', value('number', rowsIn(inGroup))],
                  ]),
                ),
              ],
            ]),
          ],
          when(inGroup),
        ),
      ),
      ...(random.isOneIn(2)
        ? [
            block([
              ['type', literal('charge')],
              ['amount', literal('5', 'number')],
              ['class', value('text', withDocument)],
            ]),
          ]
        : []),
    ],
  };
  const lists: Place['paths'] = [
    ...withDocument.paths,
    { path: 'lines.net-amount', kind: 'number', many: true },
    { path: 'subtotals.amount', kind: 'number', many: true },
    { path: 'subtotals.percent', kind: 'number', many: true },
    { path: 'subtotals.type', kind: 'text', many: true },
  ];
  const totals = block(
    shuffled([
      ['final-amount', value('number', { ...root, paths: lists }, 3)],
      ['currency', literal('EUR')],
      ['subtotals', subtotals],
    ]),
  );
  const noted = { ...root, paths: LISTS };
  const notes: List = {
    is: 'list',
    items: [
      block(
        [
          ['tag', literal('a')],
          ['content', value('text', noted)],
        ],
        when(noted),
      ),
      eachRow(
        block([
          ['tag', value('text', rowsIn(withDocument))],
          ['content', literal('of a row')],
        ]),
      ),
      block(
        [
          ['tag', literal('b')],
          ['content', literal('always')],
        ],
        when(noted),
      ),
    ],
  };
  const issuer = block([
    ['name', value('text', withDocument)],
    [
      'address',
      block([
        ['country', literal('FR')],
        ['city', value('text', withDocument)],
      ]),
    ],
  ]);
  return block(
    shuffled([
      ['document', document],
      ['totals', totals],
      ['lines', lines],
      ...maybe([
        ['notes', notes],
        ['issuer', issuer],
      ]),
    ]),
  );
}

function drawForm(kind: Kind, random: Random, place: Place, depth: number): Form {
  const columns = place.here.filter((one) => one.kind === kind);
  if (columns.length > 0 && random.isOneIn(4)) return { is: 'column', name: random.one(columns).name };
  return { is: 'formula', formula: draw(kind, random, place, depth) };
}
