/**
 * The name of a column to what it may hold. The name is cut into known words (also NUMFAC and PrecioUnitario), and the
 * set of their meanings is looked up, so that order, accents, capitals and language do not count.
 *
 * column-words.json: meaning -> words in French, Spanish and English, without accents and capitals; "-" has those that mean
 * nothing. column-names.json: names as ERPs spell them by concept; the order of the concepts counts, where a name has several.
 */
import columnNames from './column-names.json' with { type: 'json' };
import columnWords from './column-words.json' with { type: 'json' };

export type NameMatch = {
  /** Best first. */
  readonly concepts: readonly string[];
  /** 3: the very spelling is known; 2 and more: all its words; 1: some of its words. */
  readonly strength: number;
  /** Whose value it is, where a word of the name or of an element around it says so. */
  readonly party: 'customer' | 'issuer' | undefined;
};

const MEANINGS = new Map<string, string>(
  Object.entries(columnWords).flatMap(([meaning, words]) => words.map((word): [string, string] => [word, meaning])),
);
const NOTHING: NameMatch = { concepts: [], strength: 0, party: undefined };
const bySpelling = new Map<string, string[]>();
const byMeaning = new Map<string, string[]>();
for (const { concept, names } of columnNames) {
  for (const name of names) {
    add(bySpelling, compactName(name), concept);
    const { key, unknown } = meaningsOf(name);
    if (key !== '' && unknown === 0 && concept !== 'ignored') add(byMeaning, key, concept);
  }
}

/** Names known to the dictionary, every spelling counted once. */
export const KNOWN_NAMES = bySpelling.size;

const cache = new Map<string, NameMatch>();

/** `path`: the name, or the elements of an XML value from the outside to the inside. */
export function matchColumnName(path: readonly string[]): NameMatch {
  const id = path.join('\n');
  const known = cache.get(id) ?? matchPath(path);
  cache.set(id, known);
  return known;
}

function matchPath(path: readonly string[]): NameMatch {
  const party = path.map(findParty).findLast((one) => one !== undefined);
  // The name alone, then with ever more of the elements around it: the more of them a known name covers, the better.
  const found = Array.from({ length: Math.min(path.length, 4) }, (_, more) =>
    matchName(path.slice(-1 - more).join(' ')),
  );
  const [own = NOTHING] = found;
  const telling = found.filter(({ strength }) => strength >= 2);
  if (telling.length === 0) return { ...own, party };
  // "LineNumber" is clear by itself; "ID" and "Name" mean what the element around them means.
  const ownFirst = own.strength === 3 && wordsOf(path.at(-1) ?? '').length > 1;
  const clear = ownFirst ? [own, ...telling.reverse()] : telling.reverse();
  const concepts = clear.flatMap((match) => match.concepts);
  const covered = found.findLastIndex(({ strength }) => strength === 3);
  const strength = path.length === 1 ? own.strength : 2 + 0.25 * Math.max(covered, 0);
  return { concepts: [...new Set(concepts)], strength, party };
}

function matchName(name: string): NameMatch {
  const spelled = bySpelling.get(compactName(name)) ?? [];
  const { key, unknown } = meaningsOf(name);
  const concepts = [...new Set([...spelled, ...(byMeaning.get(key) ?? [])])];
  if (concepts.length === 0) return NOTHING;
  if (spelled.length > 0) return { concepts, strength: 3, party: undefined };
  return { concepts, strength: unknown === 0 ? 2 : 1, party: undefined };
}

/** The set of meanings as a key, and how many words of the name are not known. */
function meaningsOf(name: string): { readonly key: string; readonly unknown: number } {
  const meanings = new Set<string>();
  let unknown = 0;
  for (const word of wordsOf(name)) {
    const direct = MEANINGS.get(word);
    const inside = direct === undefined ? cutIntoWords(word) : [direct];
    if (inside === undefined) unknown++;
    for (const meaning of inside ?? []) if (meaning !== '-') meanings.add(meaning);
  }
  return { key: [...meanings].sort().join(' '), unknown };
}

/** "N° facture" -> n, facture; "MontantHT" -> montant, ht; "% TVA" -> pct, tva. */
function wordsOf(name: string): readonly string[] {
  return plain(name.replaceAll('%', ' pct ').replace(/[nN][°º]/g, ' num '))
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** A run of letters cut into known words, the longest first: numfac -> num, fac. Undefined where it does not come out. */
function cutIntoWords(word: string): readonly string[] | undefined {
  if (word.length < 4 || word.length > 30) return undefined;
  const cut = (from: number): readonly string[] | undefined => {
    if (from === word.length) return [];
    for (let to = word.length; to >= from + 2; to--) {
      const meaning = MEANINGS.get(word.slice(from, to));
      if (meaning === undefined || (meaning === '-' && to - from < 3 && to !== from + 2)) continue;
      const rest = cut(to);
      if (rest) return [meaning, ...rest];
    }
    return undefined;
  };
  return cut(0);
}

/** Whose value it is, where the name of a column or of an element says so. */
export function findParty(name: string): NameMatch['party'] {
  const meanings = meaningsOf(name).key.split(' ');
  if (meanings.includes('CLI')) return 'customer';
  if (meanings.includes('ISS')) return 'issuer';
  // Partners of an IDoc: RE is invoiced, RS issues; E1EDK01 has the VAT numbers of both.
  if (/(?:^|_)RE$|^KUNDEUINR$/.test(name)) return 'customer';
  return /(?:^|_)RS$|^EIGENUINR$/.test(name) ? 'issuer' : undefined;
}

function compactName(name: string): string {
  return plain(name.replaceAll('%', 'pct').replace(/[nN][°º]/g, 'n'))
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function plain(text: string): string {
  return text.replaceAll('œ', 'oe').replaceAll('Œ', 'OE').normalize('NFD').replace(/\p{M}/gu, '');
}

function add(map: Map<string, string[]>, key: string, concept: string): void {
  const list = map.get(key) ?? [];
  if (!list.includes(concept)) list.push(concept);
  map.set(key, list);
}
