/** A file in another page than its mapping says has to be refused: "Société" would become "Soci‚t‚" or "SociÚtÚ". */
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { watchPage } from '../../src/readers/encoding/page-watch.ts';
import { refusalOf } from './refusal.ts';

function refusalIn(text: string, { written, read }: { written: string; read: string }, step = 1000) {
  return refusalOf(iconv.encode(text, written), read, step);
}

/** Names of countries, languages, currencies and days, which every Node has in these languages, in three spellings. */
function wordsOf(language: string, pages: readonly string[]): string[] {
  const names = (type: 'region' | 'language' | 'currency', codes: readonly string[]) => {
    const known = new Intl.DisplayNames(language, { type, fallback: 'none' });
    return codes.flatMap((code) => known.of(code) ?? []);
  };
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const days = letters.map((_, day) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(new Date(2026, day % 12, day + 1)),
  );
  return [
    ...names('region', codes),
    ...names('language', codes),
    ...names('currency', Intl.supportedValuesOf('currency')),
    ...days,
  ]
    .flatMap((word) => [word, word.toUpperCase(), word.toLowerCase()])
    .filter((word) => pages.every((page) => iconv.decode(iconv.encode(word, page), page) === word));
}

/** The pages that exports in each language are written in. */
const WRITTEN: readonly (readonly [language: string, ...pages: string[]])[] = [
  ['fr', 'windows-1252', 'iso-8859-15', 'cp850', 'cp437', 'macintosh', 'windows-1254'],
  ['es', 'windows-1252', 'iso-8859-1', 'cp850', 'cp437', 'macintosh'],
  ['de', 'windows-1252', 'windows-1250', 'cp850', 'cp852', 'macintosh'],
  ...['pt', 'it', 'nl', 'sv', 'da', 'fi', 'ca', 'is'].map((each) => [each, 'windows-1252', 'cp850'] as const),
  ['nb', 'windows-1252', 'cp850', 'cp865'],
  ...['pl', 'cs', 'sk', 'hu', 'hr'].map((each) => [each, 'windows-1250', 'cp852', 'iso-8859-2'] as const),
  ['tr', 'windows-1254', 'cp857'],
  ['lt', 'windows-1257'],
  ['ru', 'windows-1251', 'cp866'],
  ['el', 'windows-1253', 'cp737'],
];

describe('a file in another page than the mapping says', () => {
  it.each([
    ['windows-1252', 'cp850', 'SociÚtÚ'],
    ['windows-1252', 'cp437', 'SociΘtΘ'],
    ['windows-1252', 'macintosh', 'SociÈtÈ'],
    ['cp850', 'windows-1252', 'Soci‚t‚'],
    ['cp850', 'windows-1250', 'Soci‚t‚'],
    ['cp850', 'macintosh', 'SociÇtÇ'],
    ['macintosh', 'windows-1252', 'SociŽtŽ'],
    ['macintosh', 'cp850', 'SociÄtÄ'],
    ['iso-8859-15', 'cp850', 'SociÚtÚ'],
  ])('is refused: %s read as %s', (written, read, garbled) => {
    const page = written === 'iso-8859-15' ? 'windows-1252' : written;
    const text = 'Client;Ville\nLac;Gap\nSociété;Nîmes\n';
    for (const step of [1, 2, 3, 5, 7, 1000]) {
      expect(refusalIn(text, { written, read }, step), `step ${step}`).toMatchObject({
        code: 'text/other-page',
        level: 'error',
        message: expect.stringMatching(
          step > 30
            ? `^Nightpost reads the file as ${read}, but its letters are those of ${page}: "Société" on line 3 would become "${garbled}"$`
            : `on line 3 would become`,
        ),
        hint: `Write \`encoding: ${page}\` in the mapping, or export the file in ${read}`,
        origin: { row: 3, line: 3 },
      });
    }
  });

  it.each([
    ['Caf‚;Gap', 'windows-1252', 'cp850', 'Café'],
    ['Garc¡a', 'windows-1252', 'cp850', 'García'],
    ['Fran‡ais', 'windows-1252', 'cp850', 'Français'],
    ['SOCI‚T‚', 'windows-1252', 'cp850', 'SOCIéTé'],
    ['£ódŸ i z³oty', 'windows-1252', 'windows-1250', 'Łódź'],
    ['╔tienne', 'cp850', 'windows-1252', 'Étienne'],
    ['c½ur', 'windows-1252', 'iso-8859-15', 'cœur'],
  ])('is refused for a single word: %s read as %s', (text, read, page, word) => {
    const said = refusalIn(`${text}\n`, { written: read, read })?.message;
    expect(said).toContain(`its letters are those of ${page}: "${word}" on line 1 would become`);
  });

  it.each([
    ['windows-1252', 'cp850', 'SociÚtÚ'],
    ['cp850', 'windows-1252', 'Soci‚t‚'],
    ['macintosh', 'cp850', 'SociÄtÄ'],
  ])('is refused where a part of it is in %s, and the others as said in %s', (written, read, garbled) => {
    const rest = 'Crémerie du Château;Nîmes\nLa Fenêtre;Orléans\n';
    const bytes = Buffer.concat([
      iconv.encode(rest.repeat(4), read),
      iconv.encode("Société\nL'été\nHélène\n", written),
      iconv.encode(rest, read),
    ]);
    const words = `^Parts of the file are in ${written}, others in ${read}: "Société" on line 9 .* "${garbled}"$`;
    for (const step of [1, 1000]) {
      const message = expect.stringMatching(step > 1 ? words : 'on line 9');
      expect(refusalOf(bytes, read, step)).toMatchObject({ code: 'text/mixed-encodings', message });
    }
  });

  it.each(WRITTEN.filter(([language]) => /^(?:fr|es|de|pt|it|sv|da|pl)$/.test(language)))(
    'is refused in a wrong page of DOS, Windows or Macintosh: %s',
    (language, ...pages) => {
      for (const written of pages) {
        const text = wordsOf(language, [written]).join(';\n');
        for (const read of ['windows-1252', 'cp850', 'macintosh'].filter((page) => isOfOtherSystem(page, written)))
          expect(refusalIn(text, { written, read })?.code, `${written} as ${read}`).toMatch(/other-page|undecodable/);
      }
    },
  );

  it('is refused by the page that fits, also where a byte is none of the own page', () => {
    // É of cp850 is no character of windows-1252.
    const both = { written: 'cp850', read: 'windows-1252' };
    expect(refusalIn('Nom;Ville\nSociété Élan;Gap\n', both)).toMatchObject({
      code: 'text/other-page',
      origin: { row: 2 },
    });
    expect(refusalIn('Nom;Ville\nÉLAN;Gap\n', both)).toMatchObject({ code: 'text/undecodable' });
  });
});

function isOfOtherSystem(one: string, other: string): boolean {
  const systemOf = (page: string) => /^(?:cp|mac|.)/.exec(page)?.[0].replace('i', 'w');
  return systemOf(one) !== systemOf(other);
}

describe('a file in the page that the mapping says', () => {
  it.each(WRITTEN)('is read: every name of the world in %s, each alone and all together', (language, ...pages) => {
    for (const page of pages) {
      const words = wordsOf(language, [page]);
      expect(words.length).toBeGreaterThan(1000);
      expect(refusalIn(words.join(';\n'), { written: page, read: page })).toBeUndefined();
      const alarms = words.filter((word) => {
        const watch = watchPage(page);
        watch.see(iconv.encode(`${word}\n`, page));
        return watch.found();
      });
      expect(alarms).toEqual([]);
    }
  });

  it.each([
    ['windows-1252', 'dupont¤jean\nmartin¤luc\n'],
    ['windows-1252', 'ProÉlec;LeÉtang;McÉvoy;sociÉtÉ;gÉRARD;SOCIéTé;12è;TubeØ20;tubeØmm\n'],
    ['windows-1252', 'n°client;m²K/W;5 µm;Nm³h;“oui”et;L´Oréal;d’été;1½ l;2 ¼;Col·legi;1re/2ª;Mª José\n'],
    ['windows-1252', 'Paris‚ France;‚so‘;10\u00a0000;Lot\u00a0A;déjà vu…voilà;Lyon–Gap;œufs;Œuvre;ÿ\n'],
    ['cp850', '│Nom│Ville│\n├───┼───┤\n│nom│ville│\n══Total══\n10\u00a0000\n'],
    ['cp437', '10 kΩ;Φ20;a│b;½ l;±5;≥3\n'],
    ['macintosh', 'n°client;∞;≤5;déjà…vu;l’été\n'],
  ])('is read: signs as people use them in %s', (page, text) => {
    expect(iconv.decode(iconv.encode(text, page), page)).toBe(text);
    expect(refusalIn(text, { written: page, read: page })).toBeUndefined();
    for (const line of text.split(/[;\n]/))
      expect(refusalIn(`${line}\n`, { written: page, read: page }), line).toBeUndefined();
  });
});
