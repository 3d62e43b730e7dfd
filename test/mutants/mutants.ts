/**
 * Ways to break the promise, each a small change of the program, and the tests that have to turn red. A guard that no
 * mutant can break unseen is one that is really tested. `npm run mutants` applies them one by one to a copy.
 */

export type Edit = { readonly file: string; readonly from: string; readonly to: string };

export type Mutant = {
  readonly name: string;
  /** What it would do to somebody. */
  readonly breaks: string;
  readonly edits: readonly Edit[];
  /** Test files of which at least one has to fail. */
  readonly tests: readonly string[];
};

const one = (file: string, from: string, to: string): readonly Edit[] => [{ file, from, to }];

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'resend-on-restart',
    breaks: 'what was under way when the program stopped is sent once more',
    edits: [
      {
        file: 'src/line/recover.ts',
        from: "state: 'in-doubt',\n        reason",
        to: "state: 'ready', resend: { kind: 'not-sent', afterMs: 0 },\n        reason",
      },
      { file: 'src/ledger/sending.ts', from: "if (!answered && state !== 'in-doubt')", to: 'if (false)' },
    ],
    tests: ['test/crash.test.ts'],
  },
  {
    name: 'told-before-the-commit',
    breaks: 'a document leaves before its intent is durable',
    edits: one(
      'src/ledger/group-commit.ts',
      "    seal(sql);\n    db.exec('COMMIT');",
      "    for (const [at, { settle }] of batch.entries()) settle(results[at]!);\n    await new Promise((resolve) => setTimeout(resolve, 20));\n    seal(sql);\n    db.exec('COMMIT');",
    ),
    tests: ['test/ledger/group-commit.test.ts', 'test/ledger/crash.test.ts'],
  },
  {
    name: 'archive-before-receipts',
    breaks: 'an export is put away before its receipts are written',
    edits: one(
      'src/line/file-away.ts',
      'const done = open.filter(({ path, rereads }) => rereads === undefined && !inUse.has(path));',
      'const done = open.filter(({ rereads }) => rereads === undefined);',
    ),
    tests: ['test/line/shared.test.ts', 'test/crash.test.ts'],
  },
  {
    name: 'retry-on-server-error',
    breaks: 'a document that may have been processed is sent again after HTTP 503',
    edits: one(
      'src/delivery/policy.ts',
      '  return inDoubt(reason, ours);\n}\n\nfunction notSent',
      "  return { state: 'ready', reason, resend: { kind: 'not-sent', afterMs: 1000 } };\n}\n\nfunction notSent",
    ),
    tests: ['test/delivery/policy.test.ts'],
  },
  {
    name: 'unknown-code-is-fine',
    breaks: 'a code that nobody knows counts as authorized',
    edits: one(
      'src/delivery/policy.ts',
      'const state = STATE_BY_CODE.get(answer.code);\n  if (state === undefined)\n    return {',
      "const state = STATE_BY_CODE.get(answer.code) ?? 'authorized';\n  if (state === undefined)\n    return {",
    ),
    tests: ['test/delivery/policy.test.ts'],
  },
  {
    name: 'code-as-text',
    breaks: 'a code that is a text counts',
    edits: one(
      'src/delivery/reply.ts',
      'if (!INTEGER.test(code.raw)) return',
      "code.raw = code.raw.replaceAll('\"', '');\n  if (!INTEGER.test(code.raw)) return",
    ),
    tests: ['test/delivery/policy.test.ts'],
  },
  {
    name: 'any-echo',
    breaks: 'the answer to another document is taken for that of this one',
    edits: one('src/delivery/reply.ts', "if (echoes.includes('wrong'))", 'if (false)'),
    tests: ['test/delivery/policy.test.ts', 'test/delivery/unknown-fate.test.ts'],
  },
  {
    name: 'new-number-on-retry',
    breaks: 'a corrected remission note gets another number',
    edits: one(
      'src/ledger/numbering.ts',
      'if (row) return row.number as number;',
      'if (row && Number(row.number) < 0) return row.number as number;',
    ),
    tests: ['test/ledger/sqlite.test.ts', 'test/line/sequence.test.ts'],
  },
  {
    name: 'identity-lost-on-failure',
    breaks: 'a document that failed once is a new one when it comes again',
    edits: one('src/ledger/staging.ts', 'if (!takesKeys) return;', "if (!takesKeys || state === 'invalid') return;"),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'duplicate-by-name',
    breaks: 'the same export under another name is sent once more, as far as files go',
    edits: one('src/line/take-in.ts', '(!byName || earlier.name === file.name)', 'earlier.name === file.name'),
    tests: ['test/line/night.test.ts', 'test/samples/inbox-example.test.ts'],
  },
  {
    name: 'same-number-twice',
    breaks: 'a document whose number was sent already is sent again',
    edits: one(
      'src/ledger/decide.ts',
      "if (valid && known(first, digest)) return beside('duplicate');",
      "if (valid && known(first, digest)) return { what: 'revision', of: first, state };",
    ),
    tests: ['test/ledger/sqlite.test.ts', 'test/line/night.test.ts'],
  },
  {
    name: 'not-found-is-not-sent',
    breaks: 'one consultation that does not know a document makes it correctable',
    edits: one(
      'src/delivery/policy.ts',
      "return stay('the service does not know the document (code 18)', false, { answer, notFound: true });",
      "return { state: 'rejected', reason: 'code 18', answer };",
    ),
    tests: ['test/delivery/policy.test.ts', 'test/delivery/consult.test.ts'],
  },
  {
    name: 'an-older-ledger-sends',
    breaks: 'a restored backup sends what was sent since',
    edits: one('src/ledger/guard.ts', 'if (witness.generation > found.generation) {', 'if (false) {'),
    tests: ['test/ledger/guard.test.ts'],
  },
  {
    name: 'a-copied-ledger-sends',
    breaks: 'two copies of an instance send the same documents',
    edits: one('src/ledger/guard.ts', 'if (found.place !== found.here) {', 'if (false) {'),
    tests: ['test/ledger/guard.test.ts'],
  },
  {
    name: 'no-second-look',
    breaks: 'a file that grew while it was copied is taken as complete',
    edits: one(
      'src/inbox/claim.ts',
      'if (taken.bytes !== stats.size || !isUnchanged(stats, now)) {',
      'if (taken.bytes < 0) {',
    ),
    tests: ['test/inbox/claim.test.ts'],
  },
  {
    name: 'correct-what-is-issued',
    breaks: 'an authorized document is replaced by a correction',
    edits: one(
      'src/model/state.ts',
      'return stateInfo(state).replaceable',
      "return state === 'authorized' || stateInfo(state).replaceable",
    ),
    tests: ['test/ledger/sqlite.test.ts', 'test/line/reprocess.test.ts'],
  },
  {
    name: 'held-goes-out',
    breaks: 'a document that a rule holds is sent without a person',
    edits: one('src/ledger/staging.ts', "const state = hold ? 'held' : placed.state;", 'const state = placed.state;'),
    tests: ['test/line/hold.test.ts'],
  },
  {
    name: 'no-canary',
    breaks: 'a broken mapping costs more than one document',
    edits: one('src/line/canaries.ts', 'if (count === 0) return false;', 'if (count >= 0) return false;'),
    tests: ['test/line/same-cause.test.ts'],
  },
  {
    name: 'purge-forgets',
    breaks: 'an old document that was purged can be issued again',
    edits: one(
      'src/ledger/purging.ts',
      "'UPDATE attempt SET exchange = NULL, answer = NULL, reason = NULL WHERE entry = ?',",
      "'UPDATE attempt SET exchange = NULL, answer = NULL, reason = NULL WHERE entry = ?',\n  'DELETE FROM identity WHERE entry = ?',",
    ),
    tests: ['test/line/purge.test.ts'],
  },
  {
    name: 'chain-not-compared',
    breaks: 'a changed link of the chain of receipts is not told',
    edits: one('src/line/verify-chain.ts', 'else if (link.previous !== last?.hash) {', 'else if (link.n < 0) {'),
    tests: ['test/line/verify.test.ts'],
  },
];
