import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/model/fault.ts';
import { encodingSetting, readText, readUtf8, type TextOptions } from '../../src/readers/encoding/read-text.ts';
import { UnreadableFileError } from '../../src/readers/reader.ts';
import { detectXmlEncoding } from '../../src/readers/xml/xml-encoding.ts';
import { runs } from '../seed.ts';
import { chunksOf } from './make.ts';

type Outcome = { text: string; encodings: readonly string[]; fault: Fault | undefined };

async function read(
  bytes: Uint8Array,
  encoding = 'auto',
  chunk = 1 << 20,
  declared?: TextOptions['declared'],
): Promise<Outcome> {
  const options = { file: 'a.csv', encoding: encodingSetting.parse(encoding), ...(declared ? { declared } : {}) };
  const collect = async (pieces: AsyncIterable<{ encoding: string; data: string | Buffer }>): Promise<Outcome> => {
    let text = '';
    const encodings = new Set<string>();
    try {
      for await (const piece of pieces) {
        text += piece.data.toString();
        encodings.add(piece.encoding);
      }
      return { text, encodings: [...encodings], fault: undefined };
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      return { text, encodings: [...encodings], fault: error.faults[0] };
    }
  };
  const asText = await collect(readText(chunksOf(bytes, chunk), options));
  expect(await collect(readUtf8(chunksOf(bytes, chunk), options))).toEqual(asText);
  return asText;
}

const PAGES = [
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258, 874].map((n) => `windows-${n}`),
  ...[437, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866, 869].map((n) => `cp${n}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16].map((n) => `iso-8859-${n}`),
  ...['macintosh', 'maccenteuro', 'maccyrillic', 'macgreek', 'koi8-r', 'koi8-u', 'tis-620'],
];

describe('code pages', () => {
  it.each(PAGES)('%s: each byte that the page has gives its character, each other is refused', async (page) => {
    const name = encodingSetting.parse(page);
    const good: number[] = [];
    for (let byte = 1; byte < 256; byte++) {
      const character = iconv.decode(Buffer.from([byte]), page);
      const known = character !== '\ufffd' && !/[\x80-\x9f]/.test(character);
      if (known) good.push(byte);
      else {
        const { fault } = await read(Buffer.from([0x41, byte]), page);
        expect(fault).toMatchObject({ code: 'text/undecodable' });
        expect(fault?.message).toContain(
          `0x${byte.toString(16).toUpperCase()} at offset 1 (line 1) is not valid ${name}`,
        );
      }
    }
    expect(good.length).toBeGreaterThan(90);
    const bytes = Buffer.from(good);
    const outcome = await read(bytes, page, 50);
    expect(outcome).toEqual({ text: iconv.decode(bytes, page), encodings: [name], fault: undefined });
    if (new Set(outcome.text).size === good.length) expect(iconv.encode(outcome.text, page)).toEqual(bytes);
  });

  it('knows the upper rows of Windows-1252 by heart, and its five holes', async () => {
    const rows = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
    for (const [at, character] of [...rows].entries()) {
      const { text, fault } = await read(Buffer.from([0x80 + at]), 'windows-1252');
      if (character === '\0') expect(fault).toMatchObject({ code: 'text/undecodable', origin: { row: 1 } });
      else expect(text).toBe(character);
    }
  });

  it('knows the letters of the DOS pages that ERPs still write', async () => {
    expect((await read(Buffer.from([0x82, 0x87, 0xa4, 0xd5, 0x9c]), 'cp850')).text).toBe('éçñı£');
    expect((await read(Buffer.from([0xd5]), 'cp858')).text).toBe('€');
    expect((await read(Buffer.from([0x82, 0xa4, 0xe1]), 'ibm437')).text).toBe('éñß');
  });

  it.each([
    ['cp1252', 'windows-1252'],
    ['WIN1252', 'windows-1252'],
    ['Latin1', 'iso-8859-1'],
    ['ISO8859-15', 'iso-8859-15'],
    ['UTF8', 'utf-8'],
    ['U--TF-8', 'utf-8'],
    ['unicode-1-1-utf-8', 'utf-8'],
    ['utf-16LE', 'utf-16le'],
    ['CP850', 'cp850'],
  ])('understands the spelling %s', (name, encoding) => {
    expect(encodingSetting.parse(name)).toBe(encoding);
  });

  it.each(['utf-9', 'base64', 'hex', 'utf-7', 'ebcdic', 'cp037', ''])('does not know %j', (name) => {
    expect(encodingSetting.safeParse(name).success).toBe(false);
  });
});

describe('UTF-8', () => {
  it('is the same in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, chunk) => {
          const clean = text.replaceAll('\0', '').replace(/^\ufeff+/, '') || 'x';
          expect(await read(Buffer.from(clean), 'auto', chunk)).toEqual({
            text: clean,
            encodings: ['utf-8'],
            fault: undefined,
          });
          expect((await read(Buffer.from(`\ufeff${clean}`), 'cp850', chunk)).text).toBe(clean);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  const bad: [string, string, number][] = [
    ['a lone continuation', '80', 0],
    ['an overlong slash', 'c0af', 0],
    ['a surrogate (CESU-8)', 'eda080', 0],
    ['above U+10FFFF', 'f4908080', 0],
    ['five bytes', 'f888808080', 0],
    ['0xFE', 'fe', 0],
    ['a cut sequence before a letter', 'e28241', 0],
    ['a cut sequence at the end', 'f09f98', 0],
    ['a good U+FFFD before it', 'efbfbdff', 3],
  ];

  it.each(bad)('refuses %s with line and offset', async (_, hex, at) => {
    for (const chunk of [1, 2, 1 << 20]) {
      const before = Buffer.from('é\nline 2 ');
      const { fault } = await read(Buffer.concat([before, Buffer.from(hex, 'hex')]), 'auto', chunk);
      expect(fault).toMatchObject({ code: 'text/undecodable', origin: { file: 'a.csv', row: 2, line: 2 } });
      expect(fault?.message).toContain(`at offset ${before.length + at} (line 2)`);
    }
  });

  it('keeps a U+FFFD that the file holds itself', async () => {
    expect((await read(Buffer.from('a\ufffdb'))).text).toBe('a\ufffdb');
  });

  it('names the byte, what it would be in Windows-1252, and the remedy', async () => {
    const { fault } = await read(Buffer.from('Soci\xe9t\xe9', 'latin1'));
    expect(fault?.message).toBe('Byte 0xE9 at offset 4 (line 1) is not valid utf-8');
    expect(fault?.hint).toMatch(/encoding: windows-1252.*this byte is "é"/);
  });
});

describe('UTF-16', () => {
  it.each(['utf-16le', 'utf-16be'] as const)('%s: by mark or by name, split anywhere', async (encoding) => {
    const text = 'a\té€😀\r\n𝒳';
    for (const chunk of [1, 2, 3, 5, 1 << 20]) {
      const marked = await read(iconv.encode(text, encoding, { addBOM: true }), 'auto', chunk);
      expect(marked).toEqual({ text, encodings: [encoding], fault: undefined });
      expect((await read(iconv.encode(text, encoding), encoding, chunk)).text).toBe(text);
      expect((await read(iconv.encode(text, encoding, { addBOM: true }), 'utf-16', chunk)).text).toBe(text);
    }
  });

  it.each(['0041d83d0042', '0041dc000042', '0041d83d', '0041004200'])(
    'refuses lone surrogates and halves: %s',
    async (hex) => {
      const bytes = Buffer.from(`000a${hex}`, 'hex');
      for (const chunk of [1, 1 << 20]) {
        expect((await read(bytes, 'utf-16be', chunk)).fault).toMatchObject({
          code: 'text/undecodable',
          origin: { row: 2 },
        });
      }
    },
  );

  it('is not guessed without a mark: NUL characters are refused, with advice', async () => {
    const { fault } = await read(iconv.encode('a;b\n', 'utf-16le'));
    expect(fault).toMatchObject({ code: 'text/nul', origin: { row: 1 } });
    expect(fault?.hint).toContain('encoding: utf-16le');
    expect((await read(Buffer.from('a;b\n'), 'utf-16')).fault?.code).toBe('text/no-byte-order-mark');
  });
});

describe('several bytes for a character', () => {
  it.each(['shift_jis', 'gb18030', 'euc-kr', 'big5'])('%s: strictly, split anywhere', async (encoding) => {
    const text = encoding === 'euc-kr' ? '한국어\n' : '日本\n';
    for (const chunk of [1, 3]) expect((await read(iconv.encode(text, encoding), encoding, chunk)).text).toBe(text);
    const { fault } = await read(
      Buffer.concat([iconv.encode(text, encoding), Buffer.from([0x41, 0xff, 0xff])]),
      encoding,
    );
    expect(fault).toMatchObject({ code: 'text/undecodable', origin: { row: 2 } });
  });
});

describe('any file', () => {
  it.each([
    ['nothing', ''],
    ['only a mark of UTF-8', 'efbbbf'],
    ['only a mark of UTF-16', 'fffe'],
  ])('of %s is empty', async (_, hex) => {
    expect((await read(Buffer.from(hex, 'hex'))).fault).toMatchObject({ code: 'text/empty', origin: { row: 0 } });
  });

  it.each([
    ['a workbook', '504b0304140008080800', 'workbook'],
    ['an old workbook', 'd0cf11e0a1b11ae1', 'old Excel'],
    ['a PDF', '255044462d312e340a25e2e3', 'PDF'],
    ['an archive', '1f8b080000000000', 'gzip'],
    ['a photograph', 'ffd8ffe000104a46', 'image'],
    ['a picture', '89504e470d0a1a0a', 'image'],
  ])('that is %s is told as that, whatever encoding it is read in', async (_, hex, says) => {
    for (const encoding of ['auto', 'windows-1252', 'cp850', 'utf-16le']) {
      for (const chunk of [1, 3, 1024]) {
        const { fault } = await read(Buffer.from(hex, 'hex'), encoding, chunk);
        expect(fault).toMatchObject({ code: 'text/other-kind', message: expect.stringContaining(says) });
        expect(fault?.hint).not.toContain('encoding');
      }
    }
  });

  it.each([
    ['XML', '<?xml version="1.0"?>\n<r/>'],
    ['JSON', '{"No": "F1"}'],
    ['JSON', '[ {\n  "No": "F1"}]'],
    ['web page', '<!doctype html><html>'],
    ['web page', '<HTML xmlns:x="urn:x">'],
  ])('of rows that is %s is told as that', async (says, text) => {
    for (const mark of ['', '\ufeff'])
      for (const chunk of [1, 5, 1024]) {
        const { fault } = await read(Buffer.from(mark + text), 'auto', chunk);
        expect(fault).toMatchObject({ code: 'text/other-format', message: expect.stringContaining(says) });
      }
  });

  it.each([
    ['JSON', '{"No": "F1"}'],
    ['JSON', '\n[1]'],
    ['without markup', 'No;Net;Rate;Name;Street;City\nF1;1'],
    ['without markup', 'x'],
  ])('of XML that is %s is told as that', async (says, text) => {
    for (const chunk of [1, 5, 1024]) {
      const { fault } = await read(Buffer.from(text), 'auto', chunk, detectXmlEncoding('a.xml', 'auto'));
      expect(fault).toMatchObject({ code: 'text/other-format', message: expect.stringContaining(says) });
    }
  });

  it.each([' \n\n', 'x <r/>', '\ufeff\ufeff<r/>'])(
    'of XML is judged by its parser where it begins %j',
    async (text) => {
      const { fault } = await read(Buffer.from(text), 'auto', 2, detectXmlEncoding('a.xml', 'auto'));
      expect(fault).toBeUndefined();
    },
  );

  it('of rows may begin with some of these signs', async () => {
    for (const text of ['{No};{Net}', '[No];[Net]', '<No>;<Net>', '<htm>;1', '"<?xml";1', '{', '[{', '<?xmlx ?>;1'])
      expect((await read(Buffer.from(text), 'auto', 2)).text).toBe(text);
  });

  it('that begins with some of these letters is text', async () => {
    for (const text of ['PK', 'PKW;1', '%PD', 'PK\n03']) expect((await read(Buffer.from(text))).text).toBe(text);
  });

  it('of one character is read', async () => {
    expect((await read(Buffer.from('x'))).text).toBe('x');
  });

  it.each(['utf-8', 'windows-1252', 'utf-16le', 'shift_jis'])(
    'with a NUL in %s is refused with its line',
    async (encoding) => {
      const { fault } = await read(iconv.encode('a\n\nb\0', encoding), encoding);
      expect(fault).toMatchObject({ code: 'text/nul', origin: { row: 3 } });
    },
  );

  it('counts lines that end in carriage returns alone', async () => {
    expect((await read(Buffer.from('a\rb\r\xff', 'latin1'))).fault).toMatchObject({ origin: { row: 3 } });
    expect((await read(Buffer.from('a\r\nb\r\n\xff', 'latin1'), 'auto', 2)).fault).toMatchObject({
      origin: { row: 3 },
    });
  });

  it('comes in steps of bounded size, with a turn of the event loop between them', async () => {
    let turns = 0;
    let running = true;
    const tick = () => {
      turns++;
      if (running) setImmediate(tick);
    };
    setImmediate(tick);
    const sizes: number[] = [];
    const bytes = Buffer.alloc(1 << 20, 'x');
    for await (const { data } of readText(chunksOf(bytes, bytes.length), { file: 'a', encoding: 'auto' })) {
      sizes.push(data.length);
    }
    running = false;
    // Small at first, while nothing is compiled yet.
    expect(sizes).toEqual([4096, 8192, 16_384, ...Array.from({ length: 31 }, () => 32_768), 4096]);
    expect(turns).toBeGreaterThanOrEqual(sizes.length - 1);
  });
});
