/** Rules of remission notes at their bounds: what is just allowed and what is just not, and each field that they name. */
import { describe, expect, test } from 'vitest';
import { everyFieldIsBroken, type Row, saidBy, table } from './alone.ts';

/** The digits of a number as they stand there, which a float would change. */
const exact = (digits: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);

/** A text of each length: which of them are refused at a field. */
function lengths(id: string, at: string, least: number, most: number, more: object = {}): readonly Row[] {
  const row = (length: number, broken: boolean): Row => [
    ...([id, `${at} of ${length} characters`, { ...more, [at]: '😀'.repeat(length) }] as const),
    broken ? [at] : [],
  ];
  return [...(least > 1 ? [row(least - 1, true)] : []), ...[row(least, false), row(most, false), row(most + 1, true)]];
}

/** Texts that are taken at a field, and texts that are not. */
function texts(id: string, at: string, right: readonly unknown[], wrong: readonly unknown[], more: object = {}): Row[] {
  const row = (text: unknown, broken: readonly string[]): Row => [
    id,
    `${at} ${JSON.stringify(text)}`,
    { ...more, [at]: text },
    broken,
  ];
  return [...right.map((text) => row(text, [])), ...wrong.map((text) => row(text, [at]))];
}

function missing(id: string, ...fields: readonly string[]): Row[] {
  return fields.map((at): Row => [id, `no ${at}`, { [at]: null }, [at]]);
}

const NIT = '/emisor/nit';
const NUMBER = '/receptor/numDocumento';
const TITLE = '/receptor/bienTitulo';
const known = (type: string) => ({ '/receptor/tipoDocumento': type, '/receptor/nrc': null });
const WITH_DUI = known('13');

describe('numbers of the parties', () => {
  const NIT_LIKE = ['06140507071048', '000162975'];
  const NOT_NIT_LIKE = ['0614050707104', '061405070710480', '00016297', '0001629750', '00016297-5', 'N06140507071048'];

  table([
    ...texts('SV-EMI-1', NIT, NIT_LIKE, NOT_NIT_LIKE),
    ...texts('SV-REC-2', NUMBER, NIT_LIKE, NOT_NIT_LIKE),
    ...texts('SV-REC-2', NUMBER, NOT_NIT_LIKE, [], WITH_DUI),
    ...texts('SV-EMI-2', NIT, ['06140507071048', '06141809480014', '06140711071030', '000162975'], ['06140507071049']),
    ...texts('SV-EMI-2', NIT, NOT_NIT_LIKE, ['000162976']),
    ...texts(
      'SV-EMI-2',
      NUMBER,
      ['06140512861294', '06142004981074', ...NOT_NIT_LIKE],
      ['06140512861295', '000162976'],
    ),
    ...texts('SV-EMI-2', NUMBER, ['06140512861295'], [], WITH_DUI),
    ...texts('SV-EMI-3', '/emisor/nrc', ['1', '12345678'], ['123456789', '123-4', 'N123', '123N']),
    ...texts('SV-REC-3b', '/receptor/nrc', ['12', '12345678'], ['1', '123456789', '123-4', 'N123', '123N']),
    ...texts('SV-EMI-3-v4', '/emisor/nrc', ['12', '12345678'], ['1', '123456789', 'N123', '123N']),
    ['SV-EMI-3', 'beside a receiver who may have none', { ...WITH_DUI, '/emisor/nrc': 'x' }, ['/emisor/nrc']],
    ['SV-REC-3b', 'of a receiver who may have none', { ...WITH_DUI, '/receptor/nrc': 'x' }, []],
    ...texts('SV-REC-1', '/receptor/tipoDocumento', ['36', '13', '02', '03', '37'], ['01', '2', '35', '38']),
    ...['SV-REC-2b', 'SV-REC-2b-v4'].flatMap((id) => [
      ...texts(id, NUMBER, ['02495046-3'], ['2495046-3', '002495046-3', '02495046-33', '02495046-'], WITH_DUI),
      ...texts(id, NUMBER, ['024950463'], [], known('37')),
    ]),
    ...texts('SV-REC-2c', NUMBER, ['00016297-5', '000162976', '100016297-6'], ['00016297-6'], WITH_DUI),
    ...texts('SV-REC-2c', NUMBER, ['00016297-6'], [], known('37')),
    ...['02', '03', '37'].flatMap((type) => lengths('SV-REC-2d', NUMBER, 3, 20, known(type))),
    ...['36', '13'].flatMap((type) => texts('SV-REC-2d', NUMBER, ['A1', 'x'.repeat(21)], [], known(type))),
    ...['02', '03', '13', '37'].map(
      (type): Row => ['SV-REC-3', `of type ${type}`, { '/receptor/tipoDocumento': type }, ['/receptor/nrc']],
    ),
    ['SV-REC-3', 'of type 36', {}, []],
    ['SV-REC-3', 'no NRC', { ...WITH_DUI }, []],
    ['SV-REC-3', 'no type', { '/receptor/tipoDocumento': null }, []],
  ]);
});

describe('parties', () => {
  const ISSUER = ['nit', 'nrc', 'nombre', 'codActividad', 'descActividad', 'telefono', 'correo'].map(
    (one) => `/emisor/${one}`,
  );
  const CODES = ['codEstableMH', 'codEstable', 'codPuntoVentaMH', 'codPuntoVenta'].map((one) => `/emisor/${one}`);
  const RECEIVER = ['tipoDocumento', 'numDocumento', 'bienTitulo', 'nombre', 'correo'].map((one) => `/receptor/${one}`);
  const OPTIONAL = ['nrc', 'codActividad', 'descActividad'].map((one) => `/receptor/${one}`);
  const MAY_BE_ABSENT = ['/emisor/nombreComercial', ...CODES, ...OPTIONAL, '/cuerpoDocumento/1/codigo'];
  const without = (...fields: readonly string[]) => Object.fromEntries(fields.map((at) => [at, null]));

  table([
    ...missing('SV-EMI-0', '/emisor', ...ISSUER, '/emisor/tipoEstablecimiento'),
    ['SV-EMI-0', 'what may be absent', without(...MAY_BE_ABSENT), []],
    ...missing('SV-EMI-0-v4', '/emisor', ...ISSUER),
    ...missing('SV-REC-0', '/receptor', ...RECEIVER),
    ['SV-REC-0', 'what may be absent', without(...OPTIONAL), []],
    ['SV-REC-0', 'a blank name', { '/receptor/nombre': ' ' }, ['/receptor/nombre']],
    ...MAY_BE_ABSENT.flatMap((at) => texts('SV-EMI-0b', at, ['1', null], ['', ' '])),
    [
      'SV-EMI-0b',
      'of the twelfth line',
      { '/cuerpoDocumento': Array(12).fill({ codigo: '' }) },
      Array.from({ length: 12 }, (_, i) => `/cuerpoDocumento/${i}/codigo`),
    ],
    ['SV-EMI-0b', 'a required one, told as missing', { '/emisor/nombre': ' ' }, []],
    ...lengths('SV-EMI-4', '/emisor/nombre', 3, 200),
    ...lengths('SV-EMI-4', '/emisor/nombreComercial', 1, 150),
    ...lengths('SV-EMI-4', '/emisor/descActividad', 1, 150),
    ...lengths('SV-EMI-4', '/receptor/nombre', 1, 250),
    ...lengths('SV-EMI-4', '/receptor/descActividad', 1, 150),
    ...lengths('SV-EMI-4-v4', '/emisor/nombre', 1, 250),
    ...lengths('SV-EMI-4-v4', '/emisor/nombreComercial', 1, 150),
    ...lengths('SV-EMI-4-v4', '/emisor/descActividad', 5, 150),
    ...lengths('SV-EMI-4-v4', '/receptor/nombre', 1, 250),
    ...lengths('SV-EMI-4-v4', '/receptor/descActividad', 5, 150),
    ...['/emisor', '/receptor'].flatMap((party) => [
      ...texts('SV-EMI-5', `${party}/codActividad`, ['10', '461000', null], ['1', '4610000', 'A46', '46A', '4-6']),
      ...texts('SV-EMI-5-v4', `${party}/codActividad`, ['46100', '461000'], ['4610', '4610000', 'A46100', '46100A']),
    ]),
    ...texts('SV-EMI-6', '/emisor/tipoEstablecimiento', ['01', '02', '04', '07', '20'], ['1', '00', '03', '05', '21']),
    ...lengths('SV-EMI-7', '/emisor/codEstableMH', 4, 4),
    ...lengths('SV-EMI-7', '/emisor/codPuntoVentaMH', 4, 4),
    ...lengths('SV-EMI-7', '/emisor/codEstable', 1, 10),
    ...lengths('SV-EMI-7', '/emisor/codPuntoVenta', 1, 15),
    ...texts(
      'SV-EMI-7-v4',
      '/emisor/codEstableMH',
      ['M001', 'B002', 'S003', 'P999', null],
      ['X001', 'M01', 'M0001', 'mM001', 'm001'],
    ),
    ...texts('SV-EMI-7b-v4', '/emisor/codPuntoVentaMH', ['P001', null], ['M001', 'P01', 'P0001', 'PP001']),
    ...lengths('SV-EMI-8', '/emisor/telefono', 8, 30),
    ...texts('SV-REC-4', TITLE, ['01', '02', '03', '04', '05'], ['00', '06', '4']),
  ]);

  const mail = (length: number) => `${'a'.repeat(length - '@b.sv'.length)}@b.sv`;
  const RIGHT = ['a@b.sv', 'a.b+c_d@x-y.com.sv', "o'neill@2b.example", 'A@B.SV', mail(100)];
  const WRONG = [
    ...['a', '@b.sv', 'a@', 'a@b', 'a@b.', 'a@.sv', 'a@b..sv', 'a@-b.sv', 'a@b-.sv', 'a@b.-sv', 'a@b.sv-'],
    ...[
      '.a@b.sv',
      'a.@b.sv',
      'a..b@b.sv',
      'a b@c.sv',
      'a@b c.sv',
      ' a@b.sv',
      'a@b.sv ',
      'a@b.sv, c@d.sv',
      'á@b.sv',
      'a@ñ.sv',
    ],
    ...['a@b@c.sv', mail(101)],
  ];

  table([
    ...texts('SV-EMI-8b', '/emisor/correo', RIGHT, WRONG),
    ...texts('SV-EMI-8b', '/receptor/correo', RIGHT, WRONG),
  ]);

  /** Divisions of ISIC revision 4; the numbers left out were never given. */
  const DIVISIONS = new Set(
    [
      ...['01 02 03 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 35 36 37'],
      ...[
        '38 39 41 42 43 45 46 47 49 50 51 52 53 55 56 58 59 60 61 62 63 64 65 66 68 69 70 71 72 73 74 75 77 78 79 80',
      ],
      ...['81 82 84 85 86 87 88 90 91 92 93 94 95 96 97 98 99'],
    ].flatMap((some) => some.split(' ')),
  );
  const TWO_DIGITS = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'));

  test('the divisions of activities', () => {
    const taken = TWO_DIGITS.filter(
      (code) => saidBy('SV-EMI-5b', { set: { '/emisor/codActividad': code } }).length === 0,
    );
    expect(taken).toEqual(TWO_DIGITS.filter((code) => DIVISIONS.has(code)));
  });

  const [OWN, OWN_DUI] = [{ [NUMBER]: '06140507071048' }, { [NIT]: '000162975', ...WITH_DUI, [NUMBER]: '00016297-5' }];
  const SAME = ['/receptor/direccion'];

  table([
    ['SV-EMI-5b', 'of the issuer', { '/emisor/codActividad': '34000' }, ['/emisor/codActividad']],
    ['SV-EMI-5b', 'of the receiver', { '/receptor/codActividad': '34000' }, ['/receptor/codActividad']],
    ['SV-EMI-5b', 'seven digits, told elsewhere', { '/receptor/codActividad': '3400000' }, []],
    ['SV-EMI-5b', 'one digit, told elsewhere', { '/receptor/codActividad': '4' }, []],
    ['SV-EMI-5b', 'letters around, told elsewhere', { '/receptor/codActividad': '00A' }, []],
    ...['01', '02', '03', '05', null].map(
      (title): Row => ['SV-REC-5', `own goods under ${title}`, { ...OWN, [TITLE]: title }, [TITLE]],
    ),
    ['SV-REC-5', 'own goods under 04', OWN, []],
    ['SV-REC-5', 'known by the DUI', { ...OWN_DUI, [TITLE]: '01' }, [TITLE]],
    ['SV-REC-5', 'another receiver', { [TITLE]: '01' }, []],
    ['SV-REC-5', 'neither has a number', { [NIT]: null, [NUMBER]: null, [TITLE]: '01' }, []],
    ['SV-REC-5b', 'known by the DUI', OWN_DUI, SAME],
    ['SV-REC-5b', 'another receiver', {}, []],
    ...[
      ['departamento', '05'],
      ['municipio', '24'],
      ['complemento', 'Bodega 2'],
    ].map(
      ([name, other]): Row => ['SV-REC-5b', `another ${name}`, { ...OWN, [`/receptor/direccion/${name}`]: other }, []],
    ),
    ['SV-REC-5b', 'no address of the receiver', { ...OWN, '/receptor/direccion': null }, []],
    ['SV-REC-5b', 'an empty address and none', { ...OWN, '/emisor/direccion': {}, '/receptor/direccion': null }, []],
    ['SV-REC-5b', 'no addresses', { ...OWN, '/receptor/direccion': null, '/emisor/direccion': null }, []],
  ]);
});

describe('addresses', () => {
  const PARTIES = ['/emisor', '/receptor'];
  const DEPARTMENTS = Array.from({ length: 14 }, (_, i) => String(i + 1).padStart(2, '0'));
  /** Department -> last code before the restructuring of 2024, first and last of those since. */
  const CODES: readonly (readonly [department: string, first: number, last: number])[] = [
    ...([
      ['01', 13, 15],
      ['02', 14, 17],
      ['03', 17, 20],
      ['04', 34, 36],
      ['05', 23, 28],
      ['06', 20, 24],
      ['07', 17, 18],
    ] as const),
    ...([
      ['08', 23, 25],
      ['09', 10, 11],
      ['10', 14, 15],
      ['11', 24, 26],
      ['12', 21, 23],
      ['13', 27, 28],
      ['14', 19, 20],
    ] as const),
  ];
  const [BEFORE, SINCE] = ['2024-04-30T23:59:59', '2024-05-01T00:00:00'];
  const MUNICIPALITY = '/receptor/direccion/municipio';

  test.each(CODES)('the municipalities of department %s', (department, first, last) => {
    const refused = (id: string, code: number, day: string) =>
      saidBy(id, {
        set: {
          ...{ '/receptor/direccion/departamento': department, '/FechaGeneracion': day },
          [MUNICIPALITY]: String(code).padStart(2, '0'),
        },
      }).flatMap((fault) => (fault.at === MUNICIPALITY ? [fault.at] : []));
    const UNKNOWN = 'SV-DIR-2';
    for (const code of [1, first - 1]) {
      for (const day of [BEFORE, SINCE]) expect(refused(UNKNOWN, code, day)).toEqual([]);
      expect(refused('SV-DIR-2b', code, BEFORE)).toEqual([]);
      expect(refused('SV-DIR-2b', code, SINCE)).toEqual([MUNICIPALITY]);
    }
    for (const code of [first, last]) {
      expect(refused(UNKNOWN, code, BEFORE)).toEqual([MUNICIPALITY]);
      expect(refused(UNKNOWN, code, SINCE)).toEqual([]);
      expect(refused('SV-DIR-2b', code, SINCE)).toEqual([]);
    }
    for (const code of [0, last + 1, 99]) {
      for (const day of [BEFORE, SINCE]) expect(refused(UNKNOWN, code, day)).toEqual([MUNICIPALITY]);
      expect(refused('SV-DIR-2b', code, SINCE)).toEqual([]);
    }
  });

  table(
    PARTIES.flatMap((party) => {
      const at = (name: string) => `${party}/direccion/${name}`;
      return [
        ...missing('SV-DIR-0', `${party}/direccion`, at('departamento'), at('municipio'), at('complemento')),
        ['SV-DIR-0', `no ${party}, told elsewhere`, { [party]: null }, []] as Row,
        ...texts('SV-DIR-1', at('departamento'), [...DEPARTMENTS, null], ['00', '15', '1', '6']),
        ...texts('SV-DIR-2', at('municipio'), ['23', '14', null], ['99', '6', '023', 'x']),
        ...texts('SV-DIR-2', at('municipio'), ['99'], [], { [at('departamento')]: '15' }),
        ...texts('SV-DIR-2', at('municipio'), ['99'], [], { [at('departamento')]: null }),
        ...texts('SV-DIR-2b', at('municipio'), ['23', '99', null], ['14']),
        ...lengths('SV-DIR-4', at('complemento'), 1, 200),
      ];
    }),
  );
});

describe('lines', () => {
  const at = (name: string) => `/cuerpoDocumento/0/${name}`;
  const line = (more: object) => Object.fromEntries(Object.entries(more).map(([name, value]) => [at(name), value]));
  const items = (count: number) => ({
    '/cuerpoDocumento': Array.from({ length: count }, (_, i) => ({ numItem: i + 1 })),
  });
  const SALES = ['ventaNoSuj', 'ventaExenta', 'ventaGravada'];
  const AMOUNTS = ['precioUni', 'montoDescu', ...SALES];
  const FITTING = ['0.00000001', '0.000000010', '99999999999.99999999'].map(exact);
  const UNFITTING = ['-0.01', '0.000000001', '100000000000'].map(exact);
  const none = { ventaNoSuj: 0, ventaExenta: 0, ventaGravada: 0 };
  const third = { cantidad: 3, precioUni: exact('0.33333333') };

  table([
    ['SV-ITM-1', 'no list', { '/cuerpoDocumento': null }, ['/cuerpoDocumento']],
    ['SV-ITM-1', 'one line', items(1), []],
    ['SV-ITM-1', '2000 lines', items(2000), []],
    ['SV-ITM-1', '2001 lines', items(2001), ['/cuerpoDocumento']],
    ...texts('SV-ITM-1b', at('numItem'), [1, 2000, null], [0, 2001, -1]),
    ...texts('SV-ITM-1c', at('numItem'), [1, null], [0, 2]),
    ['SV-ITM-1c', 'a gap', { '/cuerpoDocumento/1/numItem': 3 }, ['/cuerpoDocumento/1/numItem']],
    ['SV-ITM-1c', 'told once', line({ numItem: 2, ...{} }), [at('numItem')]],
    ...missing('SV-ITM-0', ...['numItem', 'tipoItem', 'cantidad', 'uniMedida', ...AMOUNTS, 'descripcion'].map(at)),
    ['SV-ITM-0', 'a blank description', { [at('descripcion')]: ' ' }, [at('descripcion')]],
    ...texts('SV-ITM-2', at('tipoItem'), [1, 2, 3, 4, null], [0, 5]),
    ...texts('SV-ITM-2b', at('tipoItem'), [1, 3, 4, null], [2]),
    ...texts('SV-ITM-2c', at('tipoItem'), [1, 2, 3, null], [4]),
    ...texts('SV-ITM-4', at('uniMedida'), [1, 99, null], [0, 100, -1]),
    ...texts('SV-ITM-4b', at('uniMedida'), [1, 59, 99, 0, 100, null], [3, 35, 48, 98]),
    ...lengths('SV-ITM-5', at('codigo'), 1, 25),
    ...lengths('SV-ITM-5', at('descripcion'), 1, 1000),
    ...lengths('SV-ITM-5-v4', at('codigo'), 1, 25),
    ...lengths('SV-ITM-5-v4', at('descripcion'), 1, 1500),
    ...texts('SV-ITM-3', at('cantidad'), [...FITTING, null], [...UNFITTING, 0]),
    ...AMOUNTS.flatMap((name) => texts('SV-ITM-6', at(name), [...FITTING, 0, null], UNFITTING)),
    ['SV-ITM-7', 'a cent more', line({ ventaNoSuj: 15.01 }), []],
    ['SV-ITM-7', 'a cent less', line({ ventaNoSuj: 14.99 }), []],
    ['SV-ITM-7', 'more than a cent more', line({ ventaNoSuj: exact('15.01000001') }), [at('ventaNoSuj')]],
    ['SV-ITM-7', 'more than a cent less', line({ ventaNoSuj: exact('14.98999999') }), [at('ventaNoSuj')]],
    [
      'SV-ITM-7',
      'the ninth decimal is rounded',
      line({ cantidad: exact('0.00000001'), precioUni: 0.5, ventaNoSuj: exact('0.01000001') }),
      [],
    ],
    [
      'SV-ITM-7',
      'the ninth decimal, one more',
      line({ cantidad: exact('0.00000001'), precioUni: 0.5, ventaNoSuj: exact('0.01000002') }),
      [at('ventaNoSuj')],
    ],
    ['SV-ITM-7', 'the three together', line({ ventaNoSuj: 4, ventaExenta: 5, ventaGravada: 6 }), []],
    ['SV-ITM-7', 'less the discount', line({ montoDescu: 5, ventaNoSuj: 10 }), []],
    ['SV-ITM-7', 'without the discount', line({ montoDescu: 5 }), [at('ventaNoSuj')]],
    ['SV-ITM-7', 'exempt', line({ ...none, ventaExenta: 1 }), [at('ventaExenta')]],
    ['SV-ITM-7', 'taxed', line({ ...none, ventaGravada: 1 }), [at('ventaGravada')]],
    ...['cantidad', 'precioUni', 'montoDescu', 'ventaExenta', 'ventaGravada'].map(
      (name): Row => ['SV-ITM-7', `no ${name}`, line({ ventaNoSuj: 1, [name]: null }), []],
    ),
    ['SV-ITM-7', 'two of them, the second too many', line({ ventaExenta: 1 }), [at('ventaExenta')]],
    ['SV-ITM-7', 'off by a cent besides', line({ ventaNoSuj: 15.01, ventaExenta: 1 }), [at('ventaExenta')]],
    ['SV-ITM-7', 'two of them, neither right', line({ ventaNoSuj: 1, ventaExenta: 2 }), [at('ventaNoSuj')]],
    ['SV-ITM-6', 'what follows from the price', line({ precioUni: -1, ventaNoSuj: -12 }), [at('precioUni')]],
    ['SV-ITM-6', 'what follows from the discount', line({ montoDescu: -1, ventaNoSuj: -1 }), [at('montoDescu')]],
    [
      'SV-ITM-6',
      'two that follow from neither',
      line({ ventaNoSuj: -1, ventaExenta: -1 }),
      [at('ventaNoSuj'), at('ventaExenta')],
    ],
    ['SV-ITM-7b', 'none', line(none), []],
    ['SV-ITM-7b', 'exempt and taxed', line({ ...none, ventaExenta: 1, ventaGravada: 1 }), [at('ventaGravada')]],
    ['SV-ITM-7b', 'all three', line({ ventaExenta: 1, ventaGravada: 1 }), [at('ventaExenta')]],
    ['SV-ITM-7c', 'all that the goods cost', line({ montoDescu: 15 }), []],
    ['SV-ITM-7c', 'all of a price that does not divide', line({ ...third, montoDescu: 1, ventaNoSuj: 0 }), []],
    ['SV-ITM-7c', 'a cent more than it', line({ ...third, montoDescu: 1.01, ventaNoSuj: 0 }), [at('montoDescu')]],
    ['SV-ITM-7c', 'a cent more', line({ montoDescu: 15.01 }), [at('montoDescu')]],
    ['SV-ITM-7c', 'of nothing', line({ precioUni: 0, montoDescu: 0.01, ventaNoSuj: 0 }), [at('montoDescu')]],
    ['SV-ITM-7c', 'of a price below 0', line({ precioUni: -1, montoDescu: 0, ventaNoSuj: 0 }), []],
    ['SV-ITM-7c', 'no discount', line({ montoDescu: null }), []],
    ['SV-ITM-7c', 'worth a cent more', line({ montoDescu: 20, ventaNoSuj: 15.01 }), [at('montoDescu')]],
    ['SV-ITM-7c', 'worth two cents more', line({ montoDescu: 20, ventaNoSuj: 15.02 }), []],
    ['SV-ITM-7c', 'worth nothing that is told', line({ montoDescu: 20, ventaNoSuj: null }), [at('montoDescu')]],
    ...['cantidad', 'precioUni'].map(
      (name): Row => ['SV-ITM-7c', `no ${name}`, line({ montoDescu: 20, [name]: null }), []],
    ),
    ['SV-ITM-8', 'taxed, an empty list', line({ ventaGravada: 0.01, tributos: [] }), [at('tributos')]],
    ['SV-ITM-8', 'not taxed', line({ ventaGravada: 0 }), []],
    ['SV-ITM-8', 'no amount', line({ ventaGravada: null }), []],
    ['SV-ITM-8b', 'taxed', line({ ventaGravada: 0.01, tributos: ['20'] }), []],
    ['SV-ITM-8b', 'no amount', line({ ventaGravada: null, tributos: ['20'] }), []],
    ['SV-ITM-8c', 'not side by side', line({ tributos: ['20', 'D1', '20'] }), [at('tributos/2')]],
    ['SV-ITM-8c', 'once', line({ tributos: ['20'] }), []],
    ['SV-ITM-8c', 'blanks twice', line({ tributos: [' ', ' '] }), []],
    ...['20', 'C3', '59', '71', 'D1', 'C8', 'D5', 'D4'].map(
      (code): Row => ['SV-ITM-8d', code, line({ tributos: [code] }), []],
    ),
    ...['', 'c3', '2', 'A8'].map(
      (code): Row => [
        'SV-ITM-8d',
        `not "${code}"`,
        line({ tributos: ['20', code] }),
        code === '' ? [] : [at('tributos/1')],
      ],
    ),
  ]);

  const UNITS = new Set([
    ...[1, 2, 6, 9, 10, 13, 15, 18, 20, 22, 23, 24, 26, 30, 32, 33, 34, 36, 37, 38, 39, 40, 42, 43, 44, 45, 46, 47],
    ...[49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 99],
  ]);

  test('the units of the catalogue', () => {
    const ALL = Array.from({ length: 99 }, (_, i) => i + 1);
    const taken = ALL.filter((unit) => saidBy('SV-ITM-4b', { set: { [at('uniMedida')]: unit } }).length === 0);
    expect(taken).toEqual(ALL.filter((unit) => UNITS.has(unit)));
  });
});

describe('summary', () => {
  const at = (name: string) => `/resumen/${name}`;
  const summary = (more: object) => Object.fromEntries(Object.entries(more).map(([name, value]) => [at(name), value]));
  const CLASSES = ['totalNoSuj', 'totalExenta', 'totalGravada'];
  const DISCOUNTS = ['descuNoSuj', 'descuExenta', 'descuGravada'];
  const TOTALS = [...CLASSES, 'subTotalVentas', ...DISCOUNTS, 'totalDescu', 'subTotal', 'montoTotalOperacion'];
  const COLUMNS = [
    ['totalNoSuj', 'ventaNoSuj'],
    ['totalExenta', 'ventaExenta'],
    ['totalGravada', 'ventaGravada'],
  ] as const;
  const TAX = { codigo: '20', descripcion: 'IVA', valor: 1 };
  const tax = (more: object) => ({ '/resumen/tributos': [{ ...TAX, ...more }] });
  const TAX_AT = '/resumen/tributos/0';
  const FITTING = ['0', '0.01', '0.010', '99999999999.99'].map(exact);
  const UNFITTING = ['-0.01', '0.001', '100000000000'].map(exact);
  const sold = (column: string, first: number, second: number) => ({
    [`/cuerpoDocumento/0/${column}`]: first,
    [`/cuerpoDocumento/1/${column}`]: second,
  });
  const [TOTAL, WORDS] = [at('montoTotalOperacion'), at('totalLetras')];

  table([
    ...missing('SV-SUM-0', '/resumen', ...[...TOTALS, 'totalLetras'].map(at)),
    ...['codigo', 'descripcion', 'valor'].map(
      (part): Row => ['SV-SUM-0', `a tax without ${part}`, tax({ [part]: undefined }), [`${TAX_AT}/${part}`]],
    ),
    ['SV-SUM-0', 'a whole tax', tax({}), []],
    ...TOTALS.flatMap((name) => texts('SV-SUM-7', at(name), [...FITTING, null], UNFITTING)),
    ...FITTING.map((valor): Row => ['SV-SUM-7', `a tax of ${JSON.stringify(valor)}`, tax({ valor }), []]),
    ...UNFITTING.map(
      (valor): Row => ['SV-SUM-7', `a tax of ${JSON.stringify(valor)}`, tax({ valor }), [`${TAX_AT}/valor`]],
    ),
    ...texts('SV-SUM-7b', at('porcentajeDescuento'), [0, 100, 99.99, null], [-0.01, 100.01, 0.001]),
    ...COLUMNS.flatMap(([total, column]): Row[] => {
      const columns = sold(column, 10.005, 20);
      return [
        ['SV-SUM-1', `${total}, a cent off`, { ...columns, [at(total)]: 30.02 }, []],
        ['SV-SUM-1', `${total}, two cents more`, { ...columns, [at(total)]: 30.03 }, [at(total)]],
        ['SV-SUM-1', `${total}, two cents less`, { ...columns, [at(total)]: 29.99 }, [at(total)]],
        ['SV-SUM-1b', `${total}, rounded away from 0`, { ...columns, [at(total)]: 30.01 }, []],
        ['SV-SUM-1b', `${total}, a cent more`, { ...columns, [at(total)]: 30.02 }, [at(total)]],
        ['SV-SUM-1b', `${total}, a cent less`, { ...columns, [at(total)]: 30 }, [at(total)]],
        ['SV-SUM-1b', `${total}, two cents, told as an error`, { ...columns, [at(total)]: 30.03 }, []],
        [
          'SV-SUM-1',
          `${total}, a line without amount`,
          { [`/cuerpoDocumento/0/${column}`]: null, [at(total)]: 99 },
          [],
        ],
        ['SV-SUM-1', `no ${total}`, { [at(total)]: null }, []],
      ];
    }),
    ['SV-SUM-2', 'a cent less', summary({ subTotalVentas: 23.22 }), [at('subTotalVentas')]],
    ['SV-SUM-2', 'all three', summary({ totalNoSuj: 1, totalExenta: 2, totalGravada: 4, subTotalVentas: 7 }), []],
    ...[...CLASSES, 'subTotalVentas'].map(
      (name): Row => ['SV-SUM-2', `no ${name}`, summary({ subTotalVentas: 1, [name]: null }), []],
    ),
    ['SV-SUM-3', 'all discounts', summary({ descuNoSuj: 1, descuExenta: 2, descuGravada: 4, subTotal: 16.23 }), []],
    ['SV-SUM-3', 'a cent less', summary({ subTotal: 23.22 }), [at('subTotal')]],
    ['SV-SUM-3', 'a cent more', summary({ subTotal: 23.24 }), [at('subTotal')]],
    ...[...DISCOUNTS, 'subTotalVentas', 'subTotal'].map(
      (name): Row => ['SV-SUM-3', `no ${name}`, summary({ subTotal: 1, [name]: null }), []],
    ),
    ['SV-SUM-4', 'those of the note', summary({ descuNoSuj: 1, descuExenta: 2, descuGravada: 4, totalDescu: 7 }), []],
    ['SV-SUM-4', 'with those of the lines', summary({ descuNoSuj: 1, totalDescu: 1.1 }), []],
    [
      'SV-SUM-4',
      'with those of the lines, a cent more',
      summary({ descuNoSuj: 1, totalDescu: 1.11 }),
      [at('totalDescu')],
    ],
    [
      'SV-SUM-4',
      'those of the lines, rounded',
      { ...sold('montoDescu', 0.1, 0.005), ...summary({ totalDescu: 0.11 }) },
      [],
    ],
    [
      'SV-SUM-4',
      'those of the lines, cut off',
      { ...sold('montoDescu', 0.1, 0.005), ...summary({ totalDescu: 0.1 }) },
      [at('totalDescu')],
    ],
    ['SV-SUM-4', 'a line without', { '/cuerpoDocumento/0/montoDescu': null, ...summary({ totalDescu: 9 }) }, []],
    ...[...DISCOUNTS, 'totalDescu'].map(
      (name): Row => ['SV-SUM-4', `no ${name}`, summary({ totalDescu: 9, [name]: null }), []],
    ),
    ['SV-SUM-5', 'with the taxes', { ...tax({}), [TOTAL]: 24.23 }, []],
    ['SV-SUM-5', 'with the taxes, a cent more', { ...tax({}), [TOTAL]: 24.24 }, [TOTAL]],
    ['SV-SUM-5', 'without the taxes: a warning', tax({}), []],
    ['SV-SUM-5', 'a cent less', { [TOTAL]: 23.22 }, [TOTAL]],
    ['SV-SUM-5', 'no subtotal', { [at('subTotal')]: null }, []],
    ['SV-SUM-5', 'no total', { [TOTAL]: null }, []],
    ['SV-SUM-5', 'a tax without amount', { ...tax({ valor: undefined }), [TOTAL]: 1 }, []],
    ['SV-SUM-5b', 'without the taxes', tax({}), [TOTAL]],
    ['SV-SUM-5b', 'with the taxes', { ...tax({}), [TOTAL]: 24.23 }, []],
    ['SV-SUM-5b', 'neither: an error', { ...tax({}), [TOTAL]: 24 }, []],
    ['SV-SUM-5b', 'taxes of 0', tax({ valor: 0 }), []],
    ['SV-SUM-5b', 'no subtotal', { ...tax({}), [at('subTotal')]: null }, []],
    ['SV-SUM-5b', 'no total', { ...tax({}), [TOTAL]: null }, []],
    ['SV-SUM-5b', 'a tax without amount', tax({ valor: undefined }), []],
    ['SV-SUM-6', 'a cent of each', summary({ totalNoSuj: 0.01, totalGravada: 0.01 }), [at('totalGravada')]],
    ['SV-SUM-6', 'taxed and exempt', summary({ totalNoSuj: 0, totalExenta: 1, totalGravada: 1 }), []],
    ['SV-SUM-6', 'not taxed', {}, []],
    [
      'SV-SUM-6b',
      'less the discount',
      { ...tax({ valor: 1.17 }), ...summary({ totalGravada: 10, descuGravada: 1 }) },
      [],
    ],
    [
      'SV-SUM-6b',
      'without the discount',
      { ...tax({ valor: 1.3 }), ...summary({ totalGravada: 10, descuGravada: 1 }) },
      [`${TAX_AT}/valor`],
    ],
    ['SV-SUM-6b', 'half a cent, rounded up', { ...tax({ valor: 0.07 }), ...summary({ totalGravada: 0.5 }) }, []],
    [
      'SV-SUM-6b',
      'half a cent, cut off',
      { ...tax({ valor: 0.06 }), ...summary({ totalGravada: 0.5 }) },
      [`${TAX_AT}/valor`],
    ],
    ['SV-SUM-6b', 'another tax', tax({ codigo: 'D1' }), []],
    ['SV-SUM-6b', 'no amount', tax({ valor: undefined }), []],
    ['SV-SUM-6b', 'no taxed total', { ...tax({}), [at('totalGravada')]: null }, []],
    ['SV-SUM-6b', 'no discount', { ...tax({}), [at('descuGravada')]: null }, []],
    ['SV-SUM-6c', 'one of the lines names it', { ...tax({}), '/cuerpoDocumento/1/tributos': ['D1', '20'] }, []],
    [
      'SV-SUM-6c',
      'the lines name another',
      { ...tax({}), '/cuerpoDocumento/1/tributos': ['D1'] },
      [`${TAX_AT}/codigo`],
    ],
    ['SV-SUM-6c', 'no code', tax({ codigo: undefined }), []],
    ['SV-SUM-6d', 'no taxes in the summary', { '/cuerpoDocumento/1/tributos': ['20'] }, []],
    ['SV-SUM-6d', 'the same', { ...tax({}), '/cuerpoDocumento/1/tributos': ['20'] }, []],
    [
      'SV-SUM-6d',
      'each once',
      { ...tax({}), '/cuerpoDocumento/0/tributos': ['D1', 'C8'], '/cuerpoDocumento/1/tributos': ['D1', '20'] },
      [at('tributos'), at('tributos')],
    ],
    ['SV-SUM-6d', 'a blank code', { ...tax({}), '/cuerpoDocumento/1/tributos': [' '] }, []],
    ...lengths('SV-SUM-8', WORDS, 1, 200),
    ['SV-SUM-8', 'codes of two characters', tax({ codigo: '20', descripcion: 'x'.repeat(150) }), []],
    ['SV-SUM-8', 'a code of one', tax({ codigo: '2' }), [`${TAX_AT}/codigo`]],
    ['SV-SUM-8', 'a code of three', tax({ codigo: '200' }), [`${TAX_AT}/codigo`]],
    ['SV-SUM-8', 'a description of one', tax({ descripcion: 'x' }), [`${TAX_AT}/descripcion`]],
    ['SV-SUM-8', 'a description of two', tax({ descripcion: 'xx' }), []],
    ['SV-SUM-8', 'a description of 151', tax({ descripcion: 'x'.repeat(151) }), [`${TAX_AT}/descripcion`]],
    ['SV-SUM-8b', 'a cent more', { [WORDS]: 'VEINTITRÉS 24/100' }, [WORDS]],
    ['SV-SUM-8b', 'digits', { [WORDS]: '23.23' }, [WORDS]],
    ['SV-SUM-8b', 'no words', { [WORDS]: null }, []],
    ['SV-SUM-8b', 'no total', { [TOTAL]: null }, []],
    ['SV-SUM-8b', 'a total of three decimals, told elsewhere', { [TOTAL]: 23.231 }, []],
  ]);
});

describe('note', () => {
  const NUMBERED = '/NumeroSecuencial';
  const DATE = '/FechaGeneracion';
  const TOTAL = '/resumen/montoTotalOperacion';
  const PERSONS = { nombEntrega: 'Rosa', docuEntrega: '1', nombRecibe: 'Luis', docuRecibe: '2' };

  table([
    ...missing('SV-DOC-0', DATE, NUMBERED, '/tipoMoneda'),
    ...texts('SV-DOC-1', '/tipoMoneda', ['USD', null], ['usd', 'EUR']),
    ['SV-DOC-2', 'no date', { [DATE]: null }, [], { today: '2026-11-19' }],
    ['SV-DOC-2b', 'after today: an error', { [DATE]: '2026-11-21T00:00:00' }, []],
    ['SV-DOC-2b', 'no date', { [DATE]: null }, []],
    ['SV-DOC-2b', 'the day is not known', {}, [], { today: '9999-12-31' }],
    ...texts('SV-DOC-3', NUMBERED, [1, exact('999999999999999'), null], [0, exact('1000000000000000'), -1]),
    ...Object.entries({
      nombEntrega: 100,
      docuEntrega: 25,
      nombRecibe: 100,
      docuRecibe: 25,
      observaciones: 3000,
    }).flatMap(([name, most]) => lengths('SV-DOC-4', `/extension/${name}`, 1, most)),
    ['SV-DOC-4b', 'every field', { '/extension': { ...PERSONS, observaciones: 'x' } }, []],
    ['SV-DOC-4b', 'another beside them', { '/extension': { ...PERSONS, placa: 'x' } }, ['/extension']],
    ['SV-DOC-4b', 'no extension', { '/extension': null }, []],
    ['SV-DOC-4c', 'a cent below', { [TOTAL]: 19999.99 }, []],
    ['SV-DOC-4c', 'no total', { [TOTAL]: null }, []],
    ['SV-DOC-4c', 'all named', { [TOTAL]: 20000, '/extension': PERSONS }, []],
    ...Object.keys(PERSONS).map(
      (name): Row => [
        'SV-DOC-4c',
        `no ${name}`,
        { [TOTAL]: 20000, '/extension': { ...PERSONS, [name]: ' ' } },
        ['/extension'],
      ],
    ),
    ['SV-DOC-4c', 'no extension', { [TOTAL]: 20000, '/extension': null }, ['/extension']],
    ['SV-DOC-4-v4', 'no extension', { '/extension': null }, []],
  ]);
});

/** What the words and the hint of a fault name beside the fixed text. */
test.each<[id: string, what: string, set: Row[2], named: string]>([
  ['SV-DIR-2', 'the department and its codes', { '/receptor/direccion/municipio': '99' }, '06 San Salvador'],
  ['SV-DIR-2', 'the codes since 2024', { '/receptor/direccion/municipio': '99' }, '20–24'],
  [
    'SV-DIR-2',
    'the codes before 2024',
    { '/receptor/direccion/municipio': '99', '/FechaGeneracion': '2024-04-30T00:00:00' },
    '01–19',
  ],
  ['SV-ITM-7', 'what it should be', { '/cuerpoDocumento/0/ventaNoSuj': 16 }, 'is 15, but the line has 16'],
  ['SV-SUM-2', 'what it should be', { '/resumen/subTotalVentas': 1 }, 'add up to 23.23'],
  ['SV-SUM-8b', 'the total', { '/resumen/totalLetras': 'UN' }, 'do not match the total, 23.23'],
  [
    'SV-REC-1',
    'all codes of a short catalogue',
    { '/receptor/tipoDocumento': '01' },
    '02 carnet de residente, 03 pasaporte, 37 otro;',
  ],
  ['SV-DIR-1', 'the first of a long one', { '/receptor/direccion/departamento': '15' }, 'catalog: 01 Ahuachapán'],
  ['SV-DIR-1', 'five of them', { '/receptor/direccion/departamento': '15' }, '05 La Libertad …;'],
  ['SV-EMI-0', 'the field', { '/emisor/correo': null }, 'emisor.correo is missing'],
  ['SV-EMI-3', 'the digits of version 3', { '/emisor/nrc': 'x' }, 'has 1 to 8 digits'],
  ['SV-EMI-3-v4', 'the digits of version 4', { '/emisor/nrc': 'x' }, 'has 2 to 8 digits'],
  ['SV-REC-3b', 'the digits', { '/receptor/nrc': 'x' }, 'has 2 to 8 digits'],
  ['SV-EMI-5', 'the digits of version 3', { '/emisor/codActividad': 'x' }, 'has 2 to 6 digits'],
  ['SV-EMI-5-v4', 'the digits of version 4', { '/emisor/codActividad': 'x' }, 'has 5 to 6 digits'],
  ['SV-ITM-1c', 'the number that was expected', { '/cuerpoDocumento/1/numItem': 7 }, '2 was expected here'],
  ['SV-EMI-4', 'the lengths', { '/emisor/nombre': 'x'.repeat(201) }, '201 characters; 3 to 200'],
])('%s names %s', (id, _what, set, named) => {
  const [fault] = saidBy(id, { set });
  expect(`${fault?.message}; ${fault?.hint}`).toContain(named);
});

everyFieldIsBroken(/^SV-/);
