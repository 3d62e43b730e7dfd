/** A file in UTF-8 under a mapping that says windows-1252 has to be refused: each of its bytes is a letter there. */
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { runs } from '../seed.ts';
import { refusalOf, refusalsOf } from './refusal.ts';

describe('a file in UTF-8 that is read as a page', () => {
  it('is refused, with a word that shows what would have come of it', () => {
    expect(refusalOf(Buffer.from('Client;Ville\nSociété Lac;Gap\n'), 'windows-1252', 1000)).toMatchObject({
      code: 'text/is-utf-8',
      message: 'Nightpost reads the file as windows-1252, but it is in UTF-8: "Société" would become "SociÃ©tÃ©"',
      origin: { row: 2, line: 2 },
    });
  });

  it('is refused however the bytes are cut', () => {
    const bytes = Buffer.from('Client\nNoël & Cie – 5 €\n');
    for (let step = 1; step <= bytes.length; step++) {
      expect(refusalOf(bytes, 'iso-8859-15', step)?.code, `step ${step}`).toMatch(/is-utf-8|undecodable/);
      expect(refusalOf(bytes, 'cp850', step)?.code, `step ${step}`).toBe('text/is-utf-8');
    }
  });

  it('lets every text pass that is really in the page, and plain ASCII', () => {
    const letters = fc.array(fc.constantFrom(...'aé èçàùôÉÀœŒ€–’"Ø°²½ñÑ;\n'), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(letters, fc.integer({ min: 1, max: 9 }), (some, step) => {
        expect(refusalOf(iconv.encode(some.join(''), 'windows-1252'), 'windows-1252', step)).toBeUndefined();
      }),
    );
    expect(refusalOf(Buffer.from('Client;Ville\n'), 'windows-1252')).toBeUndefined();
    expect(refusalOf(iconv.encode('CAFÉ’S, MUSÉE–PARC', 'windows-1252'), 'windows-1252')).toBeUndefined();
  });

  it('is refused where a few bytes of it are none, with the line of the first', () => {
    const names = Buffer.from('Client\nGarage Noël\nBœuf & Fils\n');
    for (const stray of [0xff, 0xe9, 0xc3, 0x80]) {
      for (const at of [0, 8, names.length]) {
        const bytes = Buffer.concat([names.subarray(0, at), Buffer.from([stray]), names.subarray(at)]);
        const line = names.subarray(0, at).toString().split('\n').length;
        for (const step of [1, 3, 1000]) {
          expect(refusalOf(bytes, 'windows-1252', step), `${stray} at ${at} by ${step}`).toMatchObject({
            code: 'text/is-utf-8',
            message: expect.stringMatching(
              `most of it is in UTF-8: ".*ë.*" would become ".*Ã«.*". Line ${line} contains`,
            ),
            origin: { row: 2, line: 2 },
          });
        }
      }
    }
  });

  it('is called so where a byte of it does not exist in the page', () => {
    expect(refusalOf(Buffer.from('Société\nL’“Œuvre”\n'), 'windows-1252')?.code).toBe('text/is-utf-8');
  });

  it('is distinguished from a code page, with fewer or more invalid bytes than valid characters', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...'ABCDEFGH'], { minLength: 1 }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (words, strays, step) => {
          const parts = [
            ...words.map((word) => Buffer.from(`${word}ë\n`)),
            ...Array(strays).fill(Buffer.from([0xe9, 0x20])),
          ];
          const refusal = refusalOf(Buffer.concat(parts), 'windows-1252', step);
          expect(refusal?.code).toBe(words.length > strays ? 'text/is-utf-8' : undefined);
        },
      ),
    );
  });

  it('is not seen in a file of the page in which two signs happen to be UTF-8', () => {
    const bytes = iconv.encode('Société «LÂ»\nÉlan\nCAFÉ’S\n', 'windows-1252');
    for (let step = 1; step <= bytes.length; step++) expect(refusalOf(bytes, 'windows-1252', step)).toBeUndefined();
  });
});

describe('a file of two exports, one in UTF-8 and one in the page', () => {
  const names = 'Client\nSociété Générale\nBœuf & Noël\nL’Été à Nîmes\n';
  const page = iconv.encode(names, 'windows-1252');
  const utf8 = Buffer.from(names);

  it.each([
    ['the page first', Buffer.concat([page, utf8]), 6, 2],
    ['UTF-8 first', Buffer.concat([utf8, page, page]), 2, 6],
  ] as const)('is refused with a word and both lines, however the bytes are cut: %s', (_, bytes, line, stray) => {
    for (let step = 1; step <= bytes.length; step++) {
      const refusal = refusalOf(bytes, 'windows-1252', step);
      expect(refusal, `step ${step}`).toMatchObject({ code: 'text/mixed-encodings', origin: { row: line } });
      // Of a word that a step cuts less is shown.
      const shown = /"(.*é.*)" on line (\d+) would become "(.*Ã©.*)", and line (\d+) is not valid UTF-8/.exec(
        refusal!.message,
      )!;
      expect(shown.slice(2).toSpliced(1, 1)).toEqual([String(line), String(stray)]);
      expect('Société').toContain(shown[1]);
    }
  });

  it('is refused in capitals too', () => {
    const capitals = 'SOCIÉTÉ FRANÇAISE\nFÊTES DE NOËL\n';
    const bytes = Buffer.concat([Buffer.from(capitals), iconv.encode(capitals.repeat(2), 'windows-1252')]);
    expect(refusalOf(bytes, 'windows-1252')?.code).toBe('text/mixed-encodings');
  });

  it('is not what a large file is in which the ERP has stored a name wrongly', () => {
    const wrong = Buffer.from('Société Générale\n');
    const file = (count: number) => Buffer.concat([wrong, iconv.encode('é\n'.repeat(count), 'windows-1252')]);
    expect(refusalOf(file(60), 'windows-1252')?.code).toBe('text/mixed-encodings');
    expect(refusalOf(file(100), 'windows-1252')).toBeUndefined();
    const two = Buffer.concat([Buffer.from('Noël\nLéa\n'), iconv.encode('é\né\né\n', 'windows-1252')]);
    expect(refusalOf(two, 'windows-1252')).toBeUndefined();
  });

  it('is no file in the page whose capital words end before a dash, dots or a quote', () => {
    const text = 'IRMÃ–IRMÃO\nMAÇÃ’S DE\nMAÇÃ…FIM\n“LÃ”BOA\nFÅ“ER\nÉ\nÊ\nÚ\nÓ\n';
    expect(refusalOf(iconv.encode(text, 'windows-1252'), 'windows-1252')).toBeUndefined();
  });

  it('is no file in the page, whatever its words, capitals and signs between them', () => {
    const letters = {
      french: ['aeilnrstu', 'àâçéèêëîïôùûüœæÿ'],
      spanish: ['aeilnorst', 'áéíñóúü'],
      portuguese: ['aeimnorst', 'ãáâàçéêíóôõú'],
      german: ['aeinrstlm', 'äöüß'],
      nordic: ['aeiknrstv', 'åäöæøéðþ'],
    };
    const word = fc
      .constantFrom(...Object.values(letters))
      .chain(([plain, accented]) =>
        fc.array(fc.oneof(fc.constantFrom(...plain!), fc.constantFrom(...accented!)), { minLength: 1, maxLength: 9 }),
      )
      .chain((all) => {
        const text = all.join('');
        return fc.constantFrom(text, text.slice(0, 1).toUpperCase() + text.slice(1), text.toUpperCase());
      });
    const between = fc.constantFrom(
      ...[' ', ';', '\n', '\u00a0', '’', '‘', '–', '—', '…', '·', '“', '”', '«', '»', '„', '‚', '‹', '›'],
      ...[
        '\u00a0;',
        ' – ',
        '” ',
        ' “',
        '» ',
        '\u00a0»\n',
        '™ ',
        '® ',
        'º ',
        'ª ',
        '° ',
        '² ',
        '€;',
        '¿',
        '¡',
        '½ ',
        '©;',
        '§ ',
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, between), { minLength: 1, maxLength: 60 }), fc.nat(40), (parts, step) => {
        const bytes = iconv.encode(parts.flat().join(''), 'windows-1252');
        expect(refusalOf(bytes, 'windows-1252', step + 1)?.code).not.toBe('text/mixed-encodings');
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('a file in UTF-8 whose letters were encoded twice', () => {
  const twice = (text: string) => Buffer.from(iconv.decode(Buffer.from(text), 'windows-1252'));

  it('is refused, with the word as it is meant and as it is', () => {
    const bytes = twice('Client;Ville\nLac;Gap\nSociété Hélène;Nîmes\n');
    expect(refusalOf(bytes, 'utf-8', 1000)).toMatchObject({
      code: 'text/utf-8-twice',
      message: 'Letters of the file were encoded as UTF-8 twice: "Société" on line 3 became "SociÃ©tÃ©"',
      origin: { row: 3, line: 3 },
    });
    expect(refusalOf(twice('Gérard\n'), 'utf-8', 1000)?.code).toBe('text/utf-8-twice');
    // Of two exports joined.
    const whole = Buffer.from('Crémerie du Château;Orléans\n'.repeat(10));
    expect(refusalOf(Buffer.concat([whole, bytes, whole]), 'utf-8', 64)?.code).toBe('text/utf-8-twice');
  });

  it.each(['utf-8', 'windows-1252', 'cp850'])('is refused for that too, however its bytes are cut (%s)', (encoding) => {
    const bytes = twice('Client;Ville\nLac;Gap\nSociété Hélène;Nîmes\n');
    const own = encoding === 'utf-8' ? [] : ['text/is-utf-8 3'];
    for (let step = 1; step <= bytes.length; step++) {
      const codes = refusalsOf(bytes, encoding, step)?.map(({ code, origin }) => `${code} ${origin?.line}`);
      expect(codes, `step ${step}`).toEqual([...own, 'text/utf-8-twice 3']);
    }
  });

  it('is read where it has one such name among many, or a capital Ã as Portuguese has it', () => {
    const many = Buffer.from('Crémerie du Château;Orléans\n'.repeat(100));
    expect(refusalOf(Buffer.concat([twice('Société\n'), many]), 'utf-8', 1000)).toBeUndefined();
    const portuguese = Buffer.from('SÃO JOÃO;Irmãos;IRMÃ ;São João;AÇÃO\u00a0DE;«Ã»;irmÃ ©\n'.repeat(9));
    expect(refusalOf(portuguese, 'utf-8', 1000)).toBeUndefined();
    expect(refusalOf(Buffer.from('Société Élan;Nîmes;12 €\n'), 'utf-8', 3)).toBeUndefined();
  });
});
