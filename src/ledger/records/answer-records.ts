/**
 * The tables `answer_due`, `answer_file`, `answered` and `answer_folder`: rows in, the answers to the ERP out. A file
 * that is being composed does not count; one commit chooses it and takes its documents from what is due.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import type { Link } from '../../model/chain-link.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { must } from '../../model/must.ts';
import { appendAll, pagesAfter } from '../../text/long-lists.ts';
import type {
  AnswerDelay,
  AnswerFieldProblem,
  AnswerFileState,
  AnswerStore,
  AnswersFile,
  DueAnswer,
} from '../contract/answer-store.ts';
import { appendEvent, insertRows, type LedgerContext, selectByIds, text, valueIn } from '../contract/ledger-context.ts';
import type { WrittenReceipt } from '../contract/receipt-store.ts';
import { AFTER_PLACE, selectDue, selectDueOutcomes, selectOutcomes, selectRepeats } from './answer-outcomes.ts';
import { extendChain, readChainEnd } from './receipt-chain.ts';

const PAGE = 1000;

const MARK = 'INSERT INTO answer_due (answers, file, first_row, entry, changes, again)';
const MARKED_BEFORE = 'ON CONFLICT (answers, file, first_row, entry) DO UPDATE SET changes = answer_due.changes + 1';
const REPORT = 'INSERT INTO answered (entry, answer_file, state, code, digest, changes)';
const MARK_AGAIN = `INSERT INTO answer_due (answers, file, first_row, entry, changes, again) VALUES (?, ?, ?, ?, 1, 1)
  ON CONFLICT (answers, file, first_row, entry) DO UPDATE SET changes = answer_due.changes + 1, again = 1`;
const MOVE = `INSERT INTO answer_due (answers, file, first_row, entry, changes, again)
  SELECT CAST(? AS TEXT), file, first_row, entry, changes, 0 FROM answer_due WHERE answers = ? ${MARKED_BEFORE}`;
const OF_SOURCE = `SELECT entry, first_row FROM revision d WHERE file = ? AND EXISTS (SELECT 1 FROM entry e
  WHERE e.id = d.entry AND e.revision = d.revision AND e.state <> 'staged') AND ${AFTER_PLACE}`;
const TAKE = `DELETE FROM answer_due WHERE answers = ? AND EXISTS (SELECT 1 FROM answered a
  WHERE a.entry = answer_due.entry AND a.answer_file = ? AND a.changes = answer_due.changes)`;
const LINES = `SELECT entry, state, code, digest FROM answered WHERE answer_file = ? AND entry > ? ORDER BY entry LIMIT ${PAGE}`;

export function createAnswerRecords(context: LedgerContext): AnswerStore {
  const { read, write } = context;
  const change = (sql: string, ...values: (string | number | null)[]) =>
    write(async (statements) => void (await statements.run(sql, ...values)));
  return {
    answerSources: (answers, after, limit) =>
      read(async (sql) => {
        const statement = 'SELECT DISTINCT file FROM answer_due WHERE answers = ? AND file > ? ORDER BY file LIMIT ?';
        return (await sql.all(statement, answers, after, limit)).map((row) => text(row, 'file'));
      }),
    dueBlocks: () =>
      read(async (sql) => {
        const found: string[] = [];
        // From one to the next: what is due of a block may be a hundred thousand documents.
        for (let after = ''; ; ) {
          const [row] = await sql.all('SELECT MIN(answers) AS answers FROM answer_due WHERE answers > ?', after);
          if (typeof row?.answers !== 'string') return found;
          after = row.answers;
          found.push(after);
        }
      }),
    documentsDueOf: (mapping) =>
      read(async (sql) => {
        // The id of a block is that of its mapping, a blank and its file; "!" follows the blank.
        const statement =
          'SELECT COUNT(DISTINCT entry) AS documents FROM answer_due WHERE answers >= ? AND answers < ?';
        const [row] = await sql.all(statement, `${mapping} `, `${mapping}!`);
        return Number(row?.documents ?? 0);
      }),
    entriesDue: () =>
      read(async (sql) => (await sql.all('SELECT DISTINCT entry FROM answer_due')).map((row) => text(row, 'entry'))),
    moveDueAnswers: (from, to) =>
      write(async (sql) => {
        for (const answers of to) await sql.run(MOVE, answers, from);
        await sql.run('DELETE FROM answer_due WHERE answers = ?', from);
      }),
    dueAnswers: (...page) => read((sql) => selectDue(sql, ...page)),
    dueOutcomes: (asked, ...page) => read((sql) => selectDueOutcomes(sql, asked, ...page)),
    answerOutcomes: (ids, asked) => read((sql) => selectOutcomes(sql, ids, asked)),
    repeatsOf: (ids) => read((sql) => selectRepeats(sql, ids)),
    documentsOfSource: (file, after, limit) => read((sql) => documentsOfSource(sql, file, after, limit)),
    reportedDigests: (answers, entries) => read((sql) => digestsOf(sql, answers, entries)),
    hasAnswered: (answers, file) =>
      read(async (sql) => {
        const statement = `SELECT 1 FROM answer_file WHERE answers = ? AND file = ? AND state <> 'composing' LIMIT 1`;
        return (await sql.all(statement, answers, file)).length > 0;
      }),
    dropDueAnswers: (answers, file, due) =>
      write(async (sql) => {
        const statement =
          'DELETE FROM answer_due WHERE answers = ? AND file = ? AND first_row = ? AND entry = ? AND changes = ?';
        for (const { entry, firstRow, changes } of due)
          await sql.run(statement, answers, file, firstRow, entry, changes);
      }),
    beginAnswerFile: (file) => write((sql) => begin(sql, file)),
    addAnswered: (id, documents) =>
      write(async (sql) => {
        const rows = documents.map(
          ({ entry, state, code = null, digest, changes }) => [entry, id, state, code, digest, changes] as const,
        );
        await insertRows(sql, REPORT, rows);
      }),
    chooseAnswerFile: (id, { sha256, documents, documentsSha256, at, fields = [] }) =>
      write(async (sql) => {
        const found = await sql.all('SELECT answers, file FROM answer_file WHERE id = ?', id);
        const { answers, file } = must(found[0], 'an answer file');
        const update = `UPDATE answer_file SET state = 'chosen', sha256 = ?, documents = ?, documents_sha256 = ?, at = ?,
          problems = ?, fields = ? WHERE id = ?`;
        const problems = fields.reduce((sum, { count }) => sum + count, 0);
        const named = problems === 0 ? null : JSON.stringify(fields);
        await sql.run(update, sha256, documents, documentsSha256, at, problems, named, id);
        // One export among many thousands: what is due of the others is not gone over.
        if (file === null) await sql.run(TAKE, String(answers), id);
        else await sql.run(`${TAKE} AND file = ?`, String(answers), id, String(file));
      }),
    discardComposing: () =>
      write(async (sql) => {
        const composing = `(SELECT id FROM answer_file WHERE state = 'composing')`;
        await sql.run(`DELETE FROM answered WHERE answer_file IN ${composing}`);
        await sql.run(`DELETE FROM answer_file WHERE state = 'composing'`);
      }),
    pendingAnswerFiles: () =>
      read(async (sql) =>
        (await sql.all(`SELECT * FROM answer_file WHERE state IN ('chosen', 'placed') ORDER BY id`)).map(toAnswerFile),
      ),
    answerFilePlaced: (id, path) => change(`UPDATE answer_file SET state = 'placed', path = ? WHERE id = ?`, path, id),
    answerFileDone: (id, state, at) =>
      change('UPDATE answer_file SET state = ?, written_at = ? WHERE id = ?', state, at, id),
    answerFolder: (folder) =>
      read(async (sql) => {
        const [row] = await sql.all('SELECT path FROM answer_folder WHERE name = ? AND used = 1', folder);
        return row && text(row, 'path');
      }),
    useAnswerFolder: (folder, path) =>
      change(
        `INSERT INTO answer_folder (name, path, used, tries) VALUES (?, ?, 1, 0)
         ON CONFLICT (name) DO UPDATE SET path = excluded.path, used = 1`,
        folder,
        path,
      ),
    delayAnswers: (folder, { path, at, code, says }) =>
      change(
        `INSERT INTO answer_folder (name, path, used, since, at, tries, code, says) VALUES (?, ?, 0, ?, ?, 1, ?, ?)
         ON CONFLICT (name) DO UPDATE SET since = COALESCE(answer_folder.since, excluded.since), at = excluded.at,
         tries = answer_folder.tries + 1, code = excluded.code, says = excluded.says`,
        ...[folder, path, at, at, code, says],
      ),
    endAnswerDelay: (folder) =>
      change(
        'UPDATE answer_folder SET since = NULL, at = NULL, tries = 0, code = NULL, says = NULL WHERE name = ?',
        folder,
      ),
    answersWaiting: () => read(waiting),
    answerFieldProblems: () =>
      read(async (sql) => {
        const [row] = await sql.all(
          'SELECT COALESCE(SUM(problems), 0) AS problems FROM answer_file WHERE problems > 0',
        );
        return Number(row?.problems ?? 0);
      }),
    answerAgain: (documents, { by, at, reason }) =>
      write(async (sql) => {
        for (const { answers, file, firstRow, entry } of documents)
          await sql.run(MARK_AGAIN, answers, file, firstRow, entry);
        for (const entry of new Set(documents.map((one) => one.entry)))
          await appendEvent(sql, context, { what: ANSWERED_AGAIN, entry, at, person: by, detail: { reason } });
      }),
    reportedToErp: (entry) =>
      read(async (sql) => {
        const statement = `SELECT f.*, a.state AS reported_state, a.code AS reported_code FROM answered a
          JOIN answer_file f ON f.id = a.answer_file WHERE a.entry = ? AND f.state <> 'composing' ORDER BY f.id`;
        return (await sql.all(statement, entry)).map((row) =>
          definedOnly({
            file: toAnswerFile(row),
            state: text(row, 'reported_state'),
            code: (valueIn(row, 'reported_code') as number | null) ?? undefined,
          }),
        );
      }),
    answerFiles: (after, limit) =>
      read(async (sql) =>
        (
          await sql.all(
            `SELECT * FROM answer_file WHERE id > ? AND state <> 'composing' ORDER BY id LIMIT ?`,
            after,
            limit,
          )
        ).map(toAnswerFile),
      ),
    lastAnswerFile: () =>
      read(async (sql) => {
        const [row] = await sql.all('SELECT COALESCE(MAX(id), 0) AS id FROM answer_file');
        return (row?.id as number | undefined) ?? 0;
      }),
    answeredLines: async function* (id) {
      const next = (last?: DatabaseRow) => read(async (sql) => sql.all(LINES, id, last ? text(last, 'entry') : ''));
      for await (const rows of pagesAfter(PAGE, next)) for (const row of rows) yield answeredLine(row);
    },
    answerFileRemoved: (id, at) => change('UPDATE answer_file SET removed_at = ? WHERE id = ?', at, id),
  };
}

/** The name in the history for the decision that the ERP gets an answer once more. */
const ANSWERED_AGAIN = 'answers-again';

function answeredLine(row: DatabaseRow): string {
  return `${text(row, 'entry')} ${text(row, 'state')} ${valueIn(row, 'code') ?? '-'} ${text(row, 'digest')}\n`;
}

/** In the commit of the receipts: no change of a document is reported in a receipt and not to the ERP. */
export async function markAnswers(sql: Statements, written: readonly WrittenReceipt[]): Promise<void> {
  const marks = new Map<string, readonly [string, string, number, string, number, number]>();
  for (const { blocks, file, firstRow, entry } of written.flatMap(({ answers = [] }) => answers)) {
    // A statement marks a document once.
    for (const block of blocks) marks.set(`${block}\n${entry}`, [block, file, firstRow, entry, 1, 0]);
  }
  await insertRows(sql, MARK, [...marks.values()], MARKED_BEFORE);
}

/** Answer files that a ledger which replaces another one may not know to be written: without our copy they were. */
export async function endUnknownAnswers(
  sql: Statements,
  hasCopy: (file: Pick<AnswersFile, 'id' | 'sha256'>) => Promise<boolean>,
  at: string,
): Promise<void> {
  const open = await sql.all(`SELECT * FROM answer_file WHERE state IN ('chosen', 'placed') ORDER BY id`);
  for (const file of open.map(toAnswerFile)) {
    if (await hasCopy(file)) continue;
    await sql.run(`UPDATE answer_file SET state = 'taken', written_at = ? WHERE id = ?`, at, file.id);
  }
}

/**
 * The next number is above `n`, which a file of another ledger has; a row without documents keeps it. Its name is no file's: other answers
 * with the same pattern keep theirs too.
 */
export async function reserveAnswerNumber(
  sql: Statements,
  { answers, n, name, folder, at }: Pick<AnswersFile, 'answers' | 'n' | 'name' | 'folder' | 'at'>,
): Promise<void> {
  const [last] = await sql.all('SELECT COALESCE(MAX(n), 0) AS n FROM answer_file WHERE answers = ?', answers);
  if (Number(last?.n ?? 0) >= n) return;
  const [newest] = await sql.all('SELECT COALESCE(MAX(id), 0) AS id FROM answer_file');
  await sql.run(
    `INSERT INTO answer_file (id, answers, n, name, name_key, folder, state, sha256, documents, run, at)
     VALUES (?, ?, ?, ?, ?, ?, 'taken', '', 0, '', ?) ON CONFLICT DO NOTHING`,
    ...[Number(newest?.id ?? 0) + 1, answers, n, name, `${answers}/${name.toLowerCase()}`, folder, at],
  );
}

/** Links for answer files that have none, in the commit of the program that extends the chain. */
export async function linkAnswers(sql: Statements, context: Pick<LedgerContext, 'now' | 'worker'>): Promise<void> {
  const at = context.now().toISOString();
  const files = await sql.all(
    `SELECT * FROM answer_file WHERE link IS NULL AND state IN ('written', 'taken') AND documents > 0 ORDER BY id LIMIT ${PAGE}`,
  );
  for (const row of files) {
    const { id, n, state, documents, sha256, documentsSha256, run } = toAnswerFile(row);
    const head = await readChainEnd(sql);
    const link: Link = definedOnly({
      ...{ n: (head?.n ?? 0) + 1, what: 'answers' as const, id: String(id), revision: n, state, attempts: documents },
      ...{ sha256, payloadSha256: documentsSha256, run, at, previous: head?.hash },
    });
    await extendChain(sql, context, [link]);
    await sql.run('UPDATE answer_file SET link = ? WHERE id = ?', link.n, id);
  }
}

type Place = Pick<DueAnswer, 'firstRow' | 'entry'>;

/** Rows of one export may have been read several times: each document is in the file that its latest revision is of. */
async function documentsOfSource(
  sql: Statements,
  file: string,
  { firstRow, entry }: Place = { firstRow: -1, entry: '' },
  limit: number,
): Promise<readonly Place[]> {
  const files = await sql.all(
    'SELECT id FROM source_file WHERE id = ? UNION ALL SELECT id FROM source_file WHERE rereads = ?',
    ...[file, file],
  );
  const found: Place[] = [];
  for (const { id } of files) {
    const rows = await sql.all(OF_SOURCE, String(id), firstRow, firstRow, entry, limit);
    appendAll(
      found,
      rows.map((row) => ({ entry: text(row, 'entry'), firstRow: row.first_row as number })),
    );
  }
  if (files.length > 1) found.sort((a, b) => a.firstRow - b.firstRow || (a.entry < b.entry ? -1 : 1));
  return found.slice(0, limit);
}

async function digestsOf(sql: Statements, answers: string, entries: readonly string[]) {
  const statement = (
    places: string,
  ) => `SELECT a.entry AS entry, a.digest AS digest, f.answers AS answers FROM answered a
    JOIN answer_file f ON f.id = a.answer_file AND f.state <> 'composing'
    WHERE a.entry IN (${places}) ORDER BY a.answer_file`;
  const found = new Map<string, string>();
  for (const row of await selectByIds(sql, entries, statement)) {
    if (text(row, 'answers') === answers) found.set(text(row, 'entry'), text(row, 'digest'));
  }
  return found;
}

async function begin(
  sql: Statements,
  { answers, folder, marker, file, run, at, nameOf }: Parameters<AnswerStore['beginAnswerFile']>[0],
): Promise<AnswersFile> {
  const [last] = await sql.all('SELECT COALESCE(MAX(n), 0) AS n FROM answer_file WHERE answers = ?', answers);
  const [newest] = await sql.all('SELECT COALESCE(MAX(id), 0) AS id FROM answer_file');
  const id = (must(newest, 'the last answer file').id as number) + 1;
  for (let n = (must(last, 'the last number').n as number) + 1; ; n++) {
    const name = nameOf(n);
    const key = name.toLowerCase();
    const taken = await sql.all('SELECT 1 FROM answer_file WHERE folder = ? AND name_key = ?', folder, key);
    if (taken.length > 0) continue;
    await sql.run(
      `INSERT INTO answer_file (id, answers, n, name, name_key, folder, marker, state, sha256, documents, file, run, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'composing', '', 0, ?, ?, ?)`,
      ...[id, answers, n, name, key, folder, marker ?? null, file ?? null, run, at],
    );
    const [made] = await sql.all('SELECT * FROM answer_file WHERE id = ?', id);
    return toAnswerFile(must(made, 'a new answer file'));
  }
}

async function waiting(sql: Statements) {
  const [due] = await sql.all('SELECT COUNT(DISTINCT entry) AS documents FROM answer_due');
  const [files] = await sql.all(
    `SELECT COUNT(*) AS files, MIN(at) AS since FROM answer_file WHERE state IN ('chosen', 'placed')`,
  );
  const delays = await sql.all('SELECT * FROM answer_folder WHERE since IS NOT NULL ORDER BY name');
  return definedOnly({
    documents: (due?.documents as number | undefined) ?? 0,
    files: (files?.files as number | undefined) ?? 0,
    since: (files?.since as string | null | undefined) ?? undefined,
    delays: delays.map(toDelay),
    fields: await fieldsOfDay(sql),
  });
}

const DAY_MS = 86_400_000;

/** A mapping that was fixed is not reported for ever: the newest answer files of a day count. */
async function fieldsOfDay(sql: Statements) {
  const [newest] = await sql.all('SELECT at FROM answer_file ORDER BY id DESC LIMIT 1');
  if (!newest) return [];
  const since = new Date(Date.parse(text(newest, 'at')) - DAY_MS).toISOString();
  const statement = `SELECT answers, fields FROM answer_file WHERE problems > 0 AND at >= ? ORDER BY id DESC LIMIT ${PAGE}`;
  const found = new Map<string, { answers: string } & AnswerFieldProblem>();
  for (const row of await sql.all(statement, since)) {
    const answers = text(row, 'answers');
    for (const one of JSON.parse(text(row, 'fields')) as readonly AnswerFieldProblem[]) {
      const key = `${answers}\n${one.field}\n${one.why}`;
      found.set(key, { answers, ...one, count: one.count + (found.get(key)?.count ?? 0) });
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function toDelay(row: DatabaseRow): AnswerDelay {
  return {
    folder: text(row, 'name'),
    path: text(row, 'path'),
    since: text(row, 'since'),
    at: text(row, 'at'),
    tries: row.tries as number,
    code: text(row, 'code'),
    says: text(row, 'says'),
  };
}

function toAnswerFile(row: DatabaseRow): AnswersFile {
  const optionalText = (column: string) => (valueIn(row, column) as string | null) ?? undefined;
  const fields = optionalText('fields');
  return definedOnly({
    id: row.id as number,
    answers: text(row, 'answers'),
    n: row.n as number,
    name: text(row, 'name'),
    folder: text(row, 'folder'),
    path: optionalText('path'),
    marker: optionalText('marker'),
    state: text(row, 'state') as AnswerFileState,
    sha256: text(row, 'sha256'),
    documents: row.documents as number,
    file: optionalText('file'),
    run: text(row, 'run'),
    at: text(row, 'at'),
    writtenAt: optionalText('written_at'),
    link: (valueIn(row, 'link') as number | null) ?? undefined,
    documentsSha256: optionalText('documents_sha256'),
    removedAt: optionalText('removed_at'),
    fields: fields === undefined ? undefined : (JSON.parse(fields) as readonly AnswerFieldProblem[]),
  });
}
