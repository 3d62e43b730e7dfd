/** What summaries show of documents that a later file has corrected: their rows in the earlier one, of which there is no receipt. */
import type { FormerRevision } from '../ledger/records/import-outputs.ts';
import { must } from '../model/must.ts';
import { parseRowRanges, type StoredSummary } from '../receipts/read-receipts.ts';
import type { Receipt } from '../receipts/receipt-schema.ts';
import { compareTexts } from '../text/compare-texts.ts';

type Meant = Pick<StoredSummary['file'], 'id' | 'name' | 'sha256'>;
type Former = Omit<FormerRevision, 'rules'> & Pick<Meant, 'sha256'> & { readonly claimedAt: string };
type Document = Pick<Former, 'number' | 'rows'>;

/** Summaries go in one by one, and then all of them answer. */
export function createFormerReadings() {
  const files = new Map<string, StoredSummary['file']>();
  const correctedIn = new Map<string, string>();
  /** By the name of a file, the ids under which summaries name it. */
  const named = new Map<string, Set<string>>();
  /** By the file that has the documents now, and their number there; then by their file: thousands may have no number. */
  const byNumber = new Map<string, Map<string, Former[]>>();
  /** By that file and each of their rows: an export corrects as many documents as it has. */
  const byRow = new Map<string, Former[]>();
  /** Numbers of the documents that a summary lists, with its file. */
  const numbers = new Set<string>();
  // Summaries of older versions do not say which file was read once more.
  const firstOf = (id: string, passed = new Set<string>()): string | undefined => {
    // A file that a person has edited may lead back.
    if (passed.has(id)) return undefined;
    passed.add(id);
    const { rereads } = files.get(id) ?? {};
    if (rereads !== undefined) return firstOf(rereads, passed) ?? rereads;
    const [later, before] = [files.get(id), files.get(correctedIn.get(id) ?? '')];
    if (!later || !before || !isSameFile(later, before)) return undefined;
    return firstOf(before.id, passed) ?? before.id;
  };
  // A file whose own summary is lost has another id now.
  const idsOf = ({ id, name }: Meant) =>
    files.has(id) ? [id] : [...(named.get(name) ?? [])].filter((one) => !files.has(one));
  const formersOfOne = (meant: Meant, { number, rows }: Document): ReadonlySet<Former> => {
    const ids = idsOf(meant);
    const sharing = rows
      .flatMap((row) => ids.flatMap((id) => byRow.get(keyOf(id, row)) ?? []))
      .filter(({ sha256 }) => sha256 === meant.sha256);
    const ofRows = new Set(sharing.map((one) => one.file));
    // Of several that became one, each of the others is listed next to it with its own number, and without rows.
    const isOfAnother = (one: Former) => one.number !== number && ids.some((id) => numbers.has(keyOf(id, one.number)));
    const own = sharing.filter((one) => !isOfAnother(one));
    const ofNumber = ids
      .flatMap((id) => [...(byNumber.get(keyOf(id, number)) ?? [])])
      .filter(([of]) => !ofRows.has(of));
    return new Set([...(own.length > 0 ? own : sharing), ...ofNumber.flatMap(([, formers]) => formers)]);
  };
  return {
    note: ({ file, table }: StoredSummary): void => {
      files.set(file.id, file);
      for (const { correctedBy, number = '', rows = '' } of table) {
        numbers.add(keyOf(file.id, number));
        if (!correctedBy) continue;
        correctedIn.set(correctedBy.id, file.id);
        const ids = named.get(correctedBy.name ?? '') ?? new Set();
        named.set(correctedBy.name ?? '', ids.add(correctedBy.id));
        const { id, claimedAt, sha256 } = file;
        const former = { file: id, sha256, claimedAt, number, rows: parseRowRanges(rows) };
        const key = keyOf(correctedBy.id, number);
        const numbered = byNumber.get(key) ?? new Map<string, Former[]>();
        byNumber.set(key, numbered);
        add(numbered, file.id, former);
        for (const row of former.rows) add(byRow, keyOf(correctedBy.id, row), former);
      }
    },
    /** Files whose bytes were read before, each with the first reading. */
    again: () =>
      [...files.keys()].flatMap((file) => {
        const first = firstOf(file);
        return first === undefined ? [] : [{ file, first }];
      }),
    firstOf: (id: string): string | undefined => firstOf(id),
    /** Whether the receipt has what this reading made. A stop leaves a receipt of a later correction or export, and no summary of it. */
    isOfReading: (id: string, { corrections, source: { sha256 } }: Receipt): boolean => {
      const [last, file] = [corrections.at(-1), files.get(id)];
      if (file && file.sha256 !== sha256 && file.partner?.sha256 !== sha256) return false;
      return last === undefined || (firstOf(id) !== undefined && file !== undefined && last.at <= file.claimedAt);
    },
    /**
     * Of the document that `file` has now, the oldest first: by its rows where the bytes are the same, else by its number. Of one file,
     * several may be meant: two companies may have one number.
     */
    formersOf: (file: string, { document, source, rules }: Receipt): readonly FormerRevision[] => {
      const found = new Set<Former>();
      const isGone = source.rows.length === 0;
      const own = { id: file, name: source.file, sha256: source.sha256 };
      let open: readonly (Document & { readonly meant: Meant })[] = [
        { meant: own, number: document.identifier, rows: source.rows },
      ];
      // A summary names the file that corrected the document then, which a later one may have corrected since.
      while (open.length > 0) {
        open = open
          .flatMap(({ meant, ...one }) => [...formersOfOne(meant, one)].map((former) => ({ meant, former })))
          .flatMap(({ meant, former }) => {
            if (found.has(former)) return [];
            found.add(former);
            const { number, rows } = former;
            const before = must(files.get(former.file), 'a file of a summary');
            // After a replacement all of them name the last file: those of a document that gave all its rows share its former ones.
            return (isGone && number !== '' ? [before, meant] : [before]).map((of) => ({ meant: of, number, rows }));
          });
      }
      const now = { number: document.identifier, rows: source.rows, sha256: source.sha256 };
      return inTheirOrder([...found], now).map(({ file: of, number, rows }) => ({ file: of, number, rows, rules }));
    },
  };
}

/**
 * The oldest first, and of one file the likeliest last: it shares rows with the one that came after it. Of several that became one, it is
 * the one that has kept its number.
 */
function inTheirOrder(formers: readonly Former[], now: Document & Pick<Former, 'sha256'>): readonly Former[] {
  const ofFiles = [...Map.groupBy(formers, ({ file }) => file).values()];
  let after = now;
  return ofFiles
    .toSorted(([a], [b]) => compareTexts(b?.claimedAt ?? '', a?.claimedAt ?? ''))
    .map((some) => {
      const { sha256, rows } = after;
      const own = new Set(rows);
      const sharesRows = (one: Former) => Number(one.sha256 === sha256 && one.rows.some((row) => own.has(row)));
      const hasNumber = (one: Former) => Number(one.number === now.number);
      const sorted = some.toSorted(
        (a, b) => sharesRows(a) - sharesRows(b) || hasNumber(a) - hasNumber(b) || (b.rows[0] ?? 0) - (a.rows[0] ?? 0),
      );
      after = sorted.at(-1) ?? after;
      return sorted;
    })
    .reverse()
    .flat();
}

/** The same bytes that were dropped once more, and read with another mapping, have a time of their own. */
function isSameFile(one: StoredSummary['file'], other: StoredSummary['file']): boolean {
  return one.sha256 === other.sha256 && one.name === other.name && one.modifiedAt === other.modifiedAt;
}

function keyOf(file: string, part: string | number): string {
  return JSON.stringify([file, part]);
}

function add(map: Map<string, Former[]>, key: string, former: Former): void {
  const there = map.get(key);
  if (there) there.push(former);
  else map.set(key, [former]);
}
