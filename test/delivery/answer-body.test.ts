import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlaces } from '../../src/delivery/answer-fields.ts';
import { runs } from '../seed.ts';

const CODE = '/result/status/code';

function code(text: string) {
  return readPlaces(text, [CODE])?.(CODE);
}

describe('readPlaces', () => {
  it('finds a value once', () => {
    expect(code('{"context":{"code":9},"result":{"status":{"code":2,"name":"Authorized"}}}')).toEqual({
      times: 1,
      value: 2,
      digits: '2',
    });
  });

  it.each(['2', '2.0', '2e0', '-0', '1E400', '1e+21', '0.1', '12345678901', '9007199254740993'])(
    'keeps the digits as they stand: %s',
    (digits) => {
      for (const text of [`{"result":{"status":{"code":${digits}}}}`, `{"result":{"status":{"code" : ${digits} }}}`]) {
        expect(code(text)).toEqual({ times: 1, value: Number(digits), digits });
      }
    },
  );

  it.each([
    '{"result":{"status":{"code":4,"code":2}}}',
    '{"result":{"status":{"code":4,"c\\u006fde":2}}}',
    '{"result":{"status":{"code":2}},"result":{"status":{}}}',
    '{"result":{"status":{"code":2},"status":null}}',
    '{"result":7,"result":{"status":{"code":2}}}',
  ])('trusts no repeated key on the way: %s', (text) => {
    expect(code(text)).toEqual({ times: 2 });
  });

  it('does not mind repeated keys elsewhere, nor texts that look like the code', () => {
    const text = '{"x":1,"x":2,"result":{"note":"\\"code\\":4","status":{"code":2,"sub":{"code":4}}}}';
    expect(code(text)).toEqual({ times: 1, value: 2, digits: '2' });
  });

  it.each([
    '',
    '{',
    '{"a":}',
    '[1,2',
    '{"result":{"status":{"code":2}}',
    '{"result":{"status":{"code":2}}}x',
    '{"result":{"status":{"code":2}}}\0',
    '\ufeff{"result":{"status":{"code":2}}}',
    '<html></html>',
    '{"a":1}{"a":2}',
    '"a',
    ']',
  ])('is undefined for what is not JSON: %s', (text) => {
    expect(readPlaces(text, [CODE])).toBeUndefined();
  });

  it.each([' ', ''])('reads 100 levels, not one more, and any number of siblings (with "%s")', (space) => {
    const answer = (more: string) => `{${space}"result":{"status":{"code":2}},"more":${more}}`;
    const deep = (levels: number) => answer('['.repeat(levels) + ']'.repeat(levels));
    expect(code(deep(99))?.value).toBe(2);
    expect(code(deep(100))).toBeUndefined();
    expect(code(answer(`"${'['.repeat(200)}"`))?.value).toBe(2);
    expect(code(answer(`[${Array(200).fill('{}')}]`))?.value).toBe(2);
  });

  it('survives depth', () => {
    expect(readPlaces('['.repeat(1_000_000), [CODE])).toBeUndefined();
    expect(readPlaces(`${'['.repeat(200_000)}1${']'.repeat(200_000)}`, [CODE])).toBeUndefined();
    expect(readPlaces(`{"a":${'['.repeat(90)}${']'.repeat(90)}}`, [CODE])).toBeDefined();
  });

  it('reads indexes, escapes, the whole text, and keys that objects inherit', () => {
    const compact = '{"a/b":[10,{"x":[true]}],"m~n":null,"":5,"text":"abc","__proto__":{"length":7}}';
    const absent = [
      ...['/a~1b/2', '/a~1b/00', '/a~1b/-1', '/a~1b/length', '/a~1b/1/x/0/y', '/m~0n/x', '/text/0', '/text/length'],
      ...['/__proto__/__proto__', '/__proto__/constructor', '/constructor', '/toString'],
    ];
    const there = ['/a~1b/1/x/0', '/m~0n', '', '/', '/__proto__/length'];
    for (const text of [compact, compact.replace(':', ' : '), compact.replace('abc', '\\u0061bc')]) {
      const found = readPlaces(text, [undefined, ...there, ...absent])!;
      expect(found('/a~1b/1/x/0')).toEqual({ times: 1, value: true });
      expect(found('/m~0n')).toEqual({ times: 1, value: null });
      expect(found('')).toEqual({ times: 1, value: JSON.parse(text) });
      expect(found('/')).toEqual({ times: 1, value: 5, digits: '5' });
      expect(found('/__proto__/length')).toEqual({ times: 1, value: 7, digits: '7' });
      for (const pointer of [undefined, ...absent]) expect([pointer, found(pointer)]).toEqual([pointer, { times: 0 }]);
    }
  });

  it('reads the same text however its characters are written', () => {
    for (const text of ['"\ud800é/"', '"\\ud800é/"', '"\\ud800\\u00e9\\/"', '"\\uD800é\\u002f"']) {
      expect(readPlaces(`{"a":${text}}`, ['/a'])?.('/a')).toEqual({ times: 1, value: '\ud800é/' });
      expect(readPlaces(`{"\\u0061":${text}}`, ['/a'])?.('/a')).toEqual({ times: 1, value: '\ud800é/' });
    }
  });

  it('agrees with JSON.parse at every place of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const expected = new Map<string, unknown>();
        collect(JSON.parse(JSON.stringify(value)), '', expected);
        const found = readPlaces(JSON.stringify(value, null, indent), [...expected.keys()])!;
        for (const [pointer, part] of expected) {
          const digits = typeof part === 'number' ? JSON.stringify(part) : undefined;
          expect(found(pointer)).toEqual({ times: 1, value: part, digits });
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('never throws and takes only what JSON.parse takes', () => {
    const soup = fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', ' ', 'null'), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('');
        expect(readPlaces(text, ['/a']) !== undefined).toBe(parses(text));
      }),
      { numRuns: runs(2000) },
    );
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function collect(value: unknown, pointer: string, into: Map<string, unknown>): void {
  into.set(pointer, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    collect(part, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, into);
  }
}
