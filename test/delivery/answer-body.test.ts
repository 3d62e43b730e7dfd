import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlaces } from '../../src/delivery/answer-body.ts';
import { runs } from '../seed.ts';

const CODE = '/result/status/code';

function code(text: string) {
  return readPlaces(text, [CODE])?.get(CODE);
}

describe('readPlaces', () => {
  it('finds a value once', () => {
    expect(code('{"context":{"code":9},"result":{"status":{"code":2,"name":"Authorized"}}}')).toEqual({
      times: 1,
      raw: '2',
    });
  });

  it('keeps the digits as they stand', () => {
    expect(code('{"result":{"status":{"code":2.0}}}')?.raw).toBe('2.0');
    expect(code('{"result":{"status":{"code" : 1e400 }}}')?.raw).toBe('1e400');
  });

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
    expect(code(text)).toEqual({ times: 1, raw: '2' });
  });

  it.each(['', '{', '{"a":}', '[1,2', '{"result":{"status":{"code":2}}', '<html></html>', '{"a":1}{"a":2}', '"a', ']'])(
    'is undefined for what is not JSON: %s',
    (text) => {
      expect(readPlaces(text, [CODE])).toBeUndefined();
    },
  );

  it('survives depth', () => {
    expect(readPlaces('['.repeat(1_000_000), [CODE])).toBeUndefined();
    expect(readPlaces(`${'['.repeat(200_000)}1${']'.repeat(200_000)}`, [CODE])).toBeUndefined();
    expect(readPlaces(`{"a":${'['.repeat(90)}${']'.repeat(90)}}`, [CODE])).toBeDefined();
  });

  it('reads indexes, escapes, the whole text, and keys that objects inherit', () => {
    const text = '{"a/b":[10,{"x":[true]}],"m~n":null,"":5}';
    const found = readPlaces(text, ['/a~1b/1/x/0', '/m~0n', '', '/', '/a~1b/2', '/__proto__', '/constructor']);
    expect(found?.get('/a~1b/1/x/0')).toEqual({ times: 1, raw: 'true' });
    expect(found?.get('/m~0n')).toEqual({ times: 1, raw: 'null' });
    expect(found?.get('')).toEqual({ times: 1, raw: text });
    expect(found?.get('/')).toEqual({ times: 1, raw: '5' });
    for (const absent of ['/a~1b/2', '/__proto__', '/constructor']) expect(found?.get(absent)).toEqual({ times: 0 });
  });

  it('agrees with JSON.parse at every place of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const expected = new Map<string, unknown>();
        collect(JSON.parse(JSON.stringify(value)), '', expected);
        const found = readPlaces(JSON.stringify(value, null, indent), [...expected.keys()])!;
        for (const [pointer, part] of expected) {
          const place = found.get(pointer)!;
          expect(place.times).toBe(1);
          expect(JSON.parse(place.raw!)).toEqual(part);
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
