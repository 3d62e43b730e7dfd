import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDocument, refused } from '../../src/documents/check-document.ts';
import { frInvoice } from '../../src/documents/fr/fr-invoice.ts';
import { svRemissionNote } from '../../src/documents/sv/sv-remission-note.ts';
import { Decimal } from '../../src/model/decimal.ts';
import type { Document, DocumentKind, DocumentOutcome } from '../../src/model/document.ts';
import { type Draft, fillNumber, type JsonObject, Numbering } from '../../src/model/draft.ts';
import { type Fault, showFault } from '../../src/model/fault.ts';
import { wireDraft, wirePayload } from '../make.ts';

function documentOf(outcome: DocumentOutcome): Document {
  if ('document' in outcome) return outcome.document;
  throw new Error(outcome.faults.map(showFault).join('\n'));
}

function faultsOf(outcome: DocumentOutcome): readonly Fault[] {
  return 'document' in outcome ? outcome.document.warnings : outcome.faults;
}

function codesOf(outcome: DocumentOutcome): readonly string[] {
  return faultsOf(outcome).map(({ code }) => code);
}

const FR_2026 = { ...frInvoice, rules: frInvoice.rules.under({ profile: 'fr-2026' }) };
const SV_V3 = { ...svRemissionNote, rules: svRemissionNote.rules.under({ profile: 'sv-nr-v3' }) };

function invoice(
  change: (payload: Record<string, JsonObject>) => object,
  draft: Partial<Draft> = {},
  kind: DocumentKind = frInvoice,
): DocumentOutcome {
  const payload = wirePayload('invoice') as Record<string, JsonObject>;
  return checkDocument(
    wireDraft('invoice', { ...draft, payload: { ...payload, ...change(payload) } as JsonObject }),
    kind,
  );
}

function note(changes: object, draft: Partial<Draft> = {}, kind: DocumentKind = svRemissionNote): DocumentOutcome {
  const payload = { ...wirePayload('remission-note'), ...changes } as JsonObject;
  return checkDocument(wireDraft('remission-note', { ...draft, payload }), kind);
}

const FILE: JsonObject = { format: 'pdf', filename: 'F1.pdf', transport: 'base64', data: 'JVBERi0xLjQK' };

test('what identity and rules miss both is one fault, that of the identity', () => {
  const { FechaGeneracion: _, ...rest } = wirePayload('remission-note');
  const codes = codesOf(
    checkDocument(wireDraft('remission-note', { payload: { ...rest, emisor: {} } as JsonObject }), SV_V3),
  );
  expect(codes.filter((code) => /no-issuer|no-date/.test(code))).toHaveLength(2);
  const missing = faultsOf(
    checkDocument(wireDraft('remission-note', { payload: { ...rest, emisor: {} } as JsonObject }), SV_V3),
  );
  expect(missing.filter(({ at }) => at === '/emisor/nit' || at === '/FechaGeneracion')).toHaveLength(2);
});

test('half of a surrogate pair in the till is no defect of the program', () => {
  const { emisor } = wirePayload('remission-note') as { readonly emisor: JsonObject };
  const codes = codesOf(note({ emisor: { ...emisor, codPuntoVentaMH: '\ud800' } }));
  expect(codes).toEqual(['sv-remission-note/unusable-text']);
});

describe('a document', () => {
  test('has facts, rows, keys and a digest that stays', () => {
    const document = documentOf(
      checkDocument(wireDraft('invoice', { neverTwice: ['01', 'FA', 'F2026-00412'] }), frInvoice),
    );
    expect(document).toMatchObject({
      kind: 'fr-invoice',
      service: 'fr',
      class: 'invoice',
      keys: ['fr|732829320|invoice|F|F2026-00412|2026', 'nt|fr-invoice|01|FA|F2026-00412'],
      facts: {
        identifier: 'F2026-00412',
        date: '2026-09-05',
        currency: 'EUR',
        amount: '222.59',
        counterparty: 'Société Élan & Fils',
        issuer: 'Câbleries du Levant SAS',
      },
      rows: [2, 3],
      warnings: [],
    });
    expect(document.digest).toBe(documentOf(checkDocument(wireDraft('invoice'), frInvoice)).digest);
    expect(document.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['class', { class: 'corrective' }],
    ['content', { payload: { ...wirePayload('invoice'), notes: [] } }],
    ['a file beside the payload', { file: FILE }],
  ])('has another digest with another %s', (_what, changes) => {
    const one = documentOf(checkDocument(wireDraft('invoice'), frInvoice));
    expect(documentOf(checkDocument(wireDraft('invoice', changes), frInvoice)).digest).not.toBe(one.digest);
  });

  test('keeps every digit of every amount', () => {
    const digits = fc.tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 12 }));
    fc.assert(
      fc.property(digits, ([units, scale]) => {
        const amount = Decimal.of(units, scale);
        const { content } = documentOf(invoice(({ totals }) => ({ totals: { ...totals, 'final-amount': amount } })));
        const written = /"final-amount":([^,]+),/.exec(content.toString())?.[1] ?? '';
        expect(written).toBe(amount.toText());
      }),
    );
  });

  test('keeps every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        fc.pre(!name.includes('\0'));
        const { content } = documentOf(invoice(({ receiver }) => ({ receiver: { ...receiver, name } })));
        expect(JSON.parse(content.toString()).payload.receiver.name).toBe(name);
      }),
    );
  });

  test('keeps its content while others are made', () => {
    const made = Array.from({ length: 300 }, (_, n) => {
      const name = `${n} ${'é'.repeat(n % 50 === 0 ? 100_000 : n)}`;
      return { name, document: documentOf(invoice(({ receiver }) => ({ receiver: { ...receiver, name } }))) };
    });
    for (const { name, document } of made) {
      expect(JSON.parse(document.content.toString()).payload.receiver.name).toBe(name);
      expect(document.digest).toBe(
        hash('sha256', `${document.kind}\n${document.class}\n${document.content.toString()}`),
      );
    }
  });

  test('is not traced, a refused draft is', () => {
    let traced = 0;
    const origin = { file: 'f.csv', row: 14, column: 'PRIX_U' };
    const trace = () => {
      traced++;
      return new Map([['/document/date', [origin]]]);
    };
    checkDocument(wireDraft('invoice', { trace }), frInvoice);
    expect(traced).toBe(0);
    const whole = { file: 'f.csv', row: 2 };
    const payload = { ...wirePayload('invoice'), document: { identifier: 'F1', date: '31/12/2026' }, lines: 'none' };
    const outcome = checkDocument(wireDraft('invoice', { trace, payload }), frInvoice, {
      source: { whole: () => whole },
    });
    expect(traced).toBe(1);
    expect(faultsOf(outcome).map((fault) => showFault(fault).split('  ').slice(0, 3))).toEqual([
      ['f.csv:14:PRIX_U', 'fr-invoice/not-a-date', expect.stringContaining('"31/12/2026" is not a valid date')],
      ['f.csv:2', 'fr-invoice/not-a-list', expect.stringContaining('lines: "none" is not a list')],
    ]);
  });
});

describe('the body', () => {
  test.each([
    [
      'unknown-field',
      { document: { identifer: 'F1', date: '2026-01-01' } },
      '/document/identifer',
      'did you mean "identifier"?',
    ],
    ['unknown-field', { zzz: 1 }, '/zzz', 'fields here: document, issuer'],
    ['not-text', { notes: [{ content: Decimal.one }] }, '/notes/0/content', 'identifiers and codes are text'],
    ['not-text', { notes: [{ content: null }] }, '/notes/0/content', 'leave the field out'],
    ['unusable-text', { notes: [{ content: 'a\0b' }] }, '/notes/0/content', 'damaged characters'],
    ['unusable-text', { notes: [{ content: 'a\ud800' }] }, '/notes/0/content', 'damaged characters'],
    ['not-a-number', { lines: [{ quantity: '12,5O' }] }, '/lines/0/quantity', 'declare its column as number'],
    ['not-a-number', { lines: [{ quantity: 12.5 }] }, '/lines/0/quantity', 'declare its column as number'],
    ['not-a-number', { lines: [{ quantity: new Numbering('s', [], 'number') }] }, '/lines/0/quantity', 'number'],
    ['not-an-object', { issuer: Decimal.one }, '/issuer', 'its own fields'],
    ['not-an-object', { issuer: [] }, '/issuer', 'its own fields'],
    ['not-a-list', { lines: {} }, '/lines', 'as a list'],
    [
      'not-true-or-false',
      { totals: { subtotals: [{ 'before-taxes': 'no' }] } },
      '/totals/subtotals/0/before-taxes',
      'true',
    ],
    ['not-text-or-object', { totals: { subtotals: [{ subtotals: [[]] }] } }, '/totals/subtotals/0/subtotals/0', 'text'],
    [
      'not-a-number',
      { totals: { subtotals: [{ subtotals: ['a', { subtotals: [{ percent: '20' }] }] }] } },
      '/totals/subtotals/0/subtotals/1/subtotals/0/percent',
      'number',
    ],
  ])('%s', (word, changes, at, hint) => {
    const outcome = invoice(() => changes);
    expect(faultsOf(outcome)).toEqual([
      expect.objectContaining({ code: `fr-invoice/${word}`, level: 'error', at, hint: expect.stringContaining(hint) }),
    ]);
  });

  test.each([...Array.from({ length: 32 }, (_, n) => n).filter((n) => ![9, 10, 13].includes(n)), ...[0xfffe, 0xffff]])(
    'a text with U+%s, which XML 1.0 has no place for',
    (unit) => {
      const text = `a${String.fromCharCode(unit)}b`;
      const code = (kind: string) => `${kind}/unusable-text`;
      expect(codesOf(invoice(({ receiver }) => ({ receiver: { ...receiver, name: text } })))).toEqual([
        code('fr-invoice'),
      ]);
      expect(codesOf(invoice(() => ({ attachments: [{ content: `${'A'.repeat(5000)}${text}` }] })))).toEqual([
        code('fr-invoice'),
      ]);
      expect(codesOf(note({ extension: { observaciones: text } }))).toEqual([code('sv-remission-note')]);
    },
  );

  test.each(['\t', '\n', '\r', '\u007f', '\u0085', '\ufffd', '\u{10ffff}'])('a text with %j is sent', (sign) => {
    expect(codesOf(invoice(({ receiver }) => ({ receiver: { ...receiver, name: `a${sign}b` } })))).toEqual([]);
  });

  test('each of several faults is reported once', () => {
    const outcome = invoice(({ document }) => ({
      document: { ...document, date: '2026-02-30', 'date-due': 'soon', curency: 'EUR' },
      notes: 'none',
    }));
    expect(faultsOf(outcome).map(({ at }) => at)).toEqual([
      '/document/date',
      '/document/date-due',
      '/document/curency',
      '/notes',
    ]);
  });

  test('of a remission note has whole numbers, a local time and free extension fields', () => {
    expect(
      codesOf(note({ extension: { nombEntrega: 'Ana' }, Adjuntos: ['a', { nombre: 'b', paginas: Decimal.one }] })),
    ).toEqual([]);
    expect(codesOf(note({ NumeroSecuencial: Decimal.of(15, 1) }))).toEqual(['sv-remission-note/not-an-integer']);
    expect(codesOf(note({ FechaGeneracion: '2026-11-20T14:05:00Z' }))).toEqual([
      'sv-remission-note/not-a-local-date-time',
    ]);
    const open = { ruta: { nivel: Decimal.one, tramos: ['a', true, []] } };
    const document = documentOf(note({ extension: open, Adjuntos: [Decimal.of(105, 1), [{ a: [open] }]] }));
    const nested = { ruta: { nivel: 1, tramos: ['a', true, []] } };
    expect(JSON.parse(document.content.toString())).toMatchObject({
      extension: nested,
      Adjuntos: [10.5, [{ a: [nested] }]],
    });
    expect(document.content.toString()).toContain('10.5');
    expect(codesOf(note({ extension: { observaciones: Decimal.one, x: { y: 'a\0' } }, Adjuntos: [['\0']] }))).toEqual([
      'sv-remission-note/not-text',
      'sv-remission-note/not-json',
      'sv-remission-note/not-json',
    ]);
  });

  test('shows no character that turns or hides text', () => {
    const [fault] = faultsOf(invoice(() => ({ lines: [{ quantity: '\u202e12\u001b[2J' }] })));
    expect(fault?.message).toBe('lines 1, quantity: "\\u{202e}12\\u{1b}[2J" is not a number');
  });
});

describe('rules', () => {
  test.each([
    ['credit-note', ['fr-invoice/no-original-invoice']],
    ['corrective', ['fr-invoice/no-original-invoice']],
    ['invoice', []],
  ])('%s without original invoice', (documentClass, codes) => {
    const outcome = invoice(() => ({ references: [{ type: 'buyer-reference' }] }), { class: documentClass });
    expect(documentOf(outcome).warnings.map(({ code }) => code)).toEqual(codes);
  });

  test('the final amount is net plus taxes, where the document keeps to that pattern', () => {
    const totals = (final: string, ...subtotals: JsonObject[]) =>
      codesOf(invoice(() => ({ totals: { 'final-amount': Decimal.parse(final)!, subtotals } })));
    const net = { type: 'lines-net-amount', amount: Decimal.parse('0.10')! };
    const tax = { type: 'tax', amount: Decimal.parse('0.2')! };
    expect(totals('0.3', net, tax)).toEqual([]);
    expect(totals('0.31', net, tax)).toEqual(['fr-invoice/total-mismatch']);
    expect(totals('0.31', net, tax, { type: 'allowance', amount: Decimal.one })).toEqual([]);
    expect(totals('0.31', net, { ...tax, sign: 'negative' })).toEqual([]);
    expect(totals('0.31', net)).toEqual([]);
  });

  test('check digits of every party are warnings with their place and value', () => {
    const identifiers = [
      { type: 'siren', value: '732829321' },
      { type: 'siret', value: '732 829 320 00074' },
      { type: 'vat', value: 'FR45732829320' },
    ];
    const outcome = invoice(
      () => ({ receiver: { identifiers }, 'additional-parties': [{}, { identifiers }] }),
      {},
      FR_2026,
    );
    const found = faultsOf(outcome).filter(({ code }) => code.endsWith('-check-digit'));
    expect(found.map(({ code, at, given }) => [code, at, given])).toEqual([
      ['fr-invoice/siren-check-digit', '/receiver/identifiers/0/value', '732829321'],
      ['fr-invoice/siren-check-digit', '/additional-parties/1/identifiers/0/value', '732829321'],
      ['fr-invoice/vat-check-digit', '/receiver/identifiers/2/value', 'FR45732829320'],
      ['fr-invoice/vat-check-digit', '/additional-parties/1/identifiers/2/value', 'FR45732829320'],
    ]);
  });

  test('the receiver of a remission note is checked by the type of its document', () => {
    const receiver = (tipoDocumento: string, numDocumento: string) =>
      codesOf(note({ receptor: { tipoDocumento, numDocumento } }, {}, SV_V3)).filter((code) =>
        code.endsWith('-check-digit'),
      );
    expect(receiver('36', '0614-071107-103-0')).toEqual([]);
    expect(receiver('36', '06140711071031')).toEqual(['sv-remission-note/nit-check-digit']);
    expect(receiver('13', '00016297-5')).toEqual([]);
    expect(receiver('13', '12345678-1')).toEqual(['sv-remission-note/dui-check-digit']);
    expect(receiver('03', 'A1')).toEqual([]);
  });
});

describe('identity', () => {
  test.each([
    ['number', { date: '2026-09-05' }, '/document/identifier'],
    ['date', { identifier: 'F1' }, '/document/date'],
  ])('never-twice values do not stand in for a %s whose cell is empty', (part, document, at) => {
    const cell = { file: 'f.csv', row: 5, column: 'Num' };
    const neverTwice = ['01', 'FA', ''];
    const empty = invoice(() => ({ document }), { neverTwice, trace: () => new Map([[at, [cell]]]) });
    expect(faultsOf(empty)).toMatchObject([{ code: `fr-invoice/no-${part}`, level: 'error', at, origin: cell }]);
    // The mapping does not give it: the values of never-twice tell documents apart.
    expect(codesOf(invoice(() => ({ document }), { neverTwice }))).toEqual([]);
  });

  test.each([
    [
      'siren',
      [
        { type: 'siret', value: '73282932000074' },
        { type: 'SIREN', value: '732 829 320' },
      ],
      '732829320',
    ],
    ['siren within the siret', [{ type: 'siret', value: '73282932000074' }], '732829320'],
    ['siren within the VAT number', [{ type: 'vat', value: 'FR44732829320' }], '732829320'],
    [
      'first identifier',
      [
        { type: 'duns', value: '12 345' },
        { type: 'x', value: '9' },
      ],
      '12345',
    ],
    ['name', [], 'ACME | Fils\\'],
  ])('of the issuer: %s', (_what, identifiers, issuer) => {
    const { keys } = documentOf(invoice(() => ({ issuer: { name: 'ACME | Fils\\', identifiers } })));
    expect(keys).toEqual([`fr|${issuer.replace(/[\\|]/g, '\\$&')}|invoice|F|F2026-00412|2026`]);
  });

  test('differs by class, series, number and year; not by blanks around it', () => {
    const key = (document: JsonObject, documentClass = 'invoice') =>
      documentOf(invoice(() => ({ document: { date: '2026-09-05', ...document } }), { class: documentClass })).keys[0];
    const keys = [
      key({ identifier: 'F1' }),
      key({ identifier: 'f1' }),
      key({ identifier: 'F1', series: 'A' }),
      key({ identifier: 'F1', date: '2027-01-01' }),
      key({ identifier: 'F1' }, 'corrective'),
      key({ identifier: 'é' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(key({ identifier: ' F1 ' })).toBe(keys[0]);
    expect(key({ identifier: 'e\u0301' })).toBe(keys[5]);
  });

  test('parts cannot run together', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '|', '\\'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.tuple(text, text), fc.tuple(text, text), (one, other) => {
        const [a, b] = [one, other].map(
          ([series, identifier]) =>
            documentOf(invoice(() => ({ document: { series, identifier, date: '2026-01-01' } }))).keys[0],
        );
        expect(a === b).toBe(one[0] === other[0] && one[1] === other[1]);
      }),
    );
  });

  test('of a remission note has establishment, till and year, whichever way its NIT is written', () => {
    const emisor = wirePayload('remission-note').emisor as JsonObject;
    expect(documentOf(note({ emisor: { ...emisor, nit: '0614-180948-001-4' } })).keys).toEqual([
      'sv|06141809480014|remission-note|M001/P001|1042|2026',
    ]);
    expect(documentOf(note({ emisor: { nit: '06141809480014', codEstable: 'a/b' } })).keys).toEqual([
      'sv|06141809480014|remission-note|a%2Fb/|1042|2026',
    ]);
  });

  test.each([
    ['no-number', { document: { date: '2026-01-01' } }, '/document/identifier'],
    ['no-number', { document: { identifier: ' ', date: '2026-01-01' } }, '/document/identifier'],
    ['no-date', { document: { identifier: 'F1' } }, '/document/date'],
    ['no-issuer', { issuer: {} }, '/issuer/identifiers'],
  ])('is needed: %s', (word, changes, at) => {
    expect(faultsOf(invoice(() => changes))).toEqual([
      expect.objectContaining({ code: `fr-invoice/${word}`, level: 'error', at }),
    ]);
    expect(documentOf(invoice(() => changes, { neverTwice: ['F1'] })).keys).toEqual(['nt|fr-invoice|F1']);
    expect(codesOf(invoice(() => changes, { neverTwice: ['', ' '] }))).toEqual([`fr-invoice/${word}`]);
  });

  test('no document is ever without a key', () => {
    const field = fc.option(fc.constantFrom('F1', '', '2026-01-01', 'x'), { nil: undefined });
    const given = fc.record({ identifier: field, date: field, series: field, name: field });
    const neverTwice = fc.option(fc.array(fc.constantFrom('', ' ', 'A')), { nil: undefined });
    fc.assert(
      fc.property(given, neverTwice, fc.constantFrom(frInvoice, svRemissionNote), (fields, values, kind) => {
        const { name, ...header } = fields;
        const bodies = {
          'fr-invoice': { document: header, issuer: { name } },
          'sv-remission-note': { emisor: { nit: name } },
        };
        const payload = JSON.parse(JSON.stringify(bodies[kind.name as keyof typeof bodies]));
        const draft = wireDraft('invoice', {
          kind: kind.name,
          class: kind.classes[0]!,
          payload,
          ...(values ? { neverTwice: values } : {}),
        });
        const outcome = checkDocument(draft, kind);
        if ('document' in outcome) expect(outcome.document.keys.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a number from the ledger', () => {
  const number = new Numbering('notes', ['M001', 'P001'], 'number');

  test('is found, placed by fillNumber, and needs never-twice', () => {
    expect(faultsOf(note({ NumeroSecuencial: number }))).toEqual([
      expect.objectContaining({ code: 'sv-remission-note/no-never-twice', at: '/NumeroSecuencial' }),
    ]);
    const document = documentOf(note({ NumeroSecuencial: number }, { neverTwice: ['BL-5521'] }));
    expect(document.numbering).toEqual(number);
    const token = number.toJSON();
    expect(document.keys).toEqual([
      `sv|06141809480014|remission-note|M001/P001|${token}|2026`,
      'nt|sv-remission-note|BL-5521',
    ]);
    expect(document.facts.identifier).toBe(token);
    expect(JSON.parse(fillNumber(document.content.toString(), 7))).toMatchObject({ NumeroSecuencial: 7 });
  });

  test('is not in the keys or facts of a refused document, which gets none', () => {
    const outcome = note({ NumeroSecuencial: number, tipoMoneda: Decimal.one }, { neverTwice: ['BL-5521'] });
    expect(outcome).toMatchObject({ keys: ['nt|sv-remission-note|BL-5521'], facts: { identifier: 'BL-5521' } });
  });

  test('may be in several places, as number and as text', () => {
    const asText = new Numbering('notes', ['M001', 'P001'], 'text');
    const changes = { NumeroSecuencial: number, extension: { numero: asText } };
    const document = documentOf(note(changes, { neverTwice: ['1'] }));
    expect(JSON.parse(fillNumber(document.content.toString(), 7))).toMatchObject({
      NumeroSecuencial: 7,
      extension: { numero: '7' },
    });
  });

  test('comes from one sequence', () => {
    const other = new Numbering('others', [], 'text');
    const outcome = note({ NumeroSecuencial: number, extension: { numero: other } }, { neverTwice: ['1'] });
    expect(faultsOf(outcome)).toEqual([
      // The second in the order of the body, where the extension comes first.
      expect.objectContaining({ code: 'sv-remission-note/two-sequences', at: '/NumeroSecuencial', given: 'notes' }),
    ]);
  });
});

describe('an encoded file', () => {
  const draft = (file: JsonObject, changes: Partial<Draft> = {}): Draft => ({
    kind: 'fr-invoice',
    class: 'invoice',
    file,
    neverTwice: ['F1'],
    rows: [1],
    trace: () => new Map(),
    ...changes,
  });

  test('is sent alone or with the payload', () => {
    expect(documentOf(checkDocument(draft(FILE), frInvoice)).content.toString()).toBe(
      `{"file":${JSON.stringify(FILE)}}`,
    );
    const both = documentOf(checkDocument(wireDraft('invoice', { file: FILE }), frInvoice));
    expect(Object.keys(JSON.parse(both.content.toString()))).toEqual(['payload', 'file']);
  });

  test.each([
    ['missing', { filename: 'F1.pdf' }, '/file/data'],
    ['not-base64', { data: '' }, '/file/data'],
    ['not-base64', { data: 'JVBERi0xLjQ' }, '/file/data'],
    ['not-base64', { data: 'JVBE Ri0=' }, '/file/data'],
    ['not-text', { data: 'JVBERi0x', format: Decimal.one }, '/file/format'],
    ['unknown-field', { data: 'JVBERi0x', file_name: 'x' }, '/file/file_name'],
  ])('%s', (word, file, at) => {
    expect(faultsOf(checkDocument(draft(file), frInvoice))).toEqual([
      expect.objectContaining({ code: `fr-invoice/${word}`, level: 'error', at }),
    ]);
  });

  test('needs never-twice, and a kind that takes it', () => {
    expect(codesOf(checkDocument(draft(FILE, { neverTwice: [] }), frInvoice))).toEqual(['fr-invoice/no-never-twice']);
    expect(codesOf(checkDocument(wireDraft('remission-note', { file: FILE }), svRemissionNote))).toEqual([
      'sv-remission-note/file-not-accepted',
    ]);
  });
});

describe('a draft that makes no document', () => {
  test('has an unknown class, or nothing in it', () => {
    const [fault] = faultsOf(checkDocument(wireDraft('invoice', { class: 'credit_note' }), frInvoice));
    expect(fault).toMatchObject({ code: 'fr-invoice/unknown-class', hint: 'did you mean "credit-note"?' });
    const { payload: _, ...empty } = wireDraft('invoice');
    expect(codesOf(checkDocument(empty, frInvoice))).toEqual(['fr-invoice/nothing-to-send']);
  });

  const found: Fault = { code: 'map/not-in-table', level: 'error', message: 'no', at: '/document/identifier' };

  test('has the faults of composing before its own, each cause once', () => {
    const payload = { document: { date: '2026-01-01' }, lines: 'x' };
    const outcome = checkDocument(wireDraft('invoice', { payload }), frInvoice, { found: [found] });
    expect(codesOf(outcome)).toEqual(['map/not-in-table', 'fr-invoice/not-a-list', 'fr-invoice/no-issuer']);
    const warning: Fault = { ...found, level: 'warning' };
    expect(
      codesOf(
        checkDocument(wireDraft('invoice', { payload: { issuer: { name: 'A' } } }), frInvoice, { found: [warning] }),
      ),
    ).toEqual(['map/not-in-table', 'fr-invoice/no-number', 'fr-invoice/no-date']);
    expect(documentOf(checkDocument(wireDraft('invoice'), frInvoice, { found: [warning] })).warnings).toEqual([
      warning,
    ]);
  });

  test('has a failed check after its possible causes', () => {
    const failed: Fault = { code: 'map/check-failed', level: 'error', message: 'the total differs' };
    const outcome = checkDocument(wireDraft('invoice', { payload: { lines: 'x' } }), frInvoice, {
      found: [failed, found],
    });
    expect(codesOf(outcome).slice(0, 2)).toEqual(['map/not-in-table', 'fr-invoice/not-a-list']);
    expect(codesOf(outcome).at(-1)).toBe('map/check-failed');
  });

  test('reports a rule for a cell once, although the cell feeds several fields', () => {
    const tax = (percent: number) => ({ type: 'vat', percent: Decimal.from(percent) });
    const cell = (row: number) => [{ file: 'a.csv', row, column: 'Taux' }];
    const payload = {
      ...wirePayload('invoice'),
      lines: [{ taxes: [tax(19)] }, { taxes: [tax(19)] }],
      totals: { subtotals: [{ type: 'tax', subtotals: [tax(19)] }] },
    };
    const trace = () =>
      new Map([
        ['/lines/0/taxes/0/percent', cell(2)],
        ['/lines/1/taxes/0/percent', cell(3)],
        ['/totals/subtotals/0/subtotals/0/percent', cell(2)],
      ]);
    const told = faultsOf(checkDocument(wireDraft('invoice', { payload, trace }), FR_2026)).filter(
      ({ rule }) => rule === 'FR-VAT-1',
    );
    expect(told.map(({ origin }) => origin?.row)).toEqual([2, 3]);
  });

  test('keeps the keys, facts and rows that could be read', () => {
    const outcome = invoice(() => ({ lines: 'x' }), { neverTwice: ['A'] });
    expect(outcome).toMatchObject({
      kind: 'fr-invoice',
      service: 'fr',
      class: 'invoice',
      keys: ['fr|732829320|invoice|F|F2026-00412|2026', 'nt|fr-invoice|A'],
      facts: { identifier: 'F2026-00412', amount: '222.59' },
      rows: [2, 3],
    });
  });

  test('has no identity by a date that is none: the corrected document would have another', () => {
    const outcome = invoice(({ document }) => ({ document: { ...document, date: '05/09/2026' } }));
    expect(outcome).toMatchObject({ keys: [], faults: [{ code: 'fr-invoice/not-a-date' }] });
  });

  test('never has the digest of a document, nor of other faults', () => {
    const digestOf = (kind: DocumentKind, faults: readonly Fault[], known: Partial<Draft>) => {
      const outcome = refused(faults, kind, { class: 'invoice', rows: [2], ...known });
      return 'document' in outcome ? '' : outcome.digest;
    };
    const draft = wireDraft('invoice');
    const digests = [
      documentOf(checkDocument(draft, frInvoice)).digest,
      digestOf(frInvoice, [], draft),
      digestOf(frInvoice, [found], draft),
      digestOf(frInvoice, [found], {}),
      digestOf(frInvoice, [found], { rows: [3] }),
      digestOf(frInvoice, [{ ...found, given: 'x' }], {}),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    const elsewhere = { ...found, origin: { file: 'again.csv', row: 9 } };
    expect(digestOf(frInvoice, [elsewhere], draft)).toBe(digests[2]);
  });

  test('is named by its never-twice values where it has no number', () => {
    const outcome = refused([found], frInvoice, { class: '', rows: [5], neverTwice: ['01', '', 'F9'] });
    expect(outcome).toMatchObject({
      keys: ['nt|fr-invoice|01||F9'],
      facts: { identifier: '01 F9' },
      rows: [5],
      class: '',
    });
  });

  test.each([
    [{ called: 'F9' }, 'F9'],
    [{ called: 'F9', neverTwice: ['01', 'F8'] }, '01 F8'],
    [{}, ''],
  ])('is named as its rows are called where nothing of it can be read: %j', (known, identifier) => {
    const outcome = refused([found], frInvoice, { class: '', rows: [5], ...known });
    expect(outcome).toMatchObject({ facts: { identifier } });
  });
});
