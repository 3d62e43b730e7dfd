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
  /** Arguments of `npm run torture` instead, where only a rig can see it. */
  readonly torture?: readonly string[];
  /** Seen only where strace may trace. */
  readonly traced?: true;
};

const POWER = { tests: [], torture: ['power', '--losses', '60', '--seed', '1'], traced: true } as const;

const one = (file: string, from: string, to: string): readonly Edit[] => [{ file, from, to }];

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'maker-approves',
    breaks: 'an administrator adds an account, signs in with it, and approves the own decision',
    edits: one('src/ledger/contract/approval.ts', ' || isMakerOf(one, other) || isMakerOf(other, one)', ''),
    tests: ['test/console/approvals.test.ts'],
  },
  {
    name: 'approved-with-other-mapping',
    breaks: 'a correction that two people agreed on is made with a mapping that neither of them has seen',
    edits: one('src/decisions/requests/judge-approval.ts', '    refuseOtherMapping(context, about);\n', ''),
    tests: ['test/decisions/two-people.test.ts'],
  },
  {
    name: 'settings-of-others',
    breaks: 'another account replaces nightpost.yaml, and its command runs as the account of the program',
    edits: one('src/instance/instance.ts', '  if (!overrides.looks) refuseForeignWriters(root, config);\n', ''),
    tests: ['test/security/foreign-writers.test.ts'],
  },
  {
    name: 'folders-by-name',
    breaks:
      'a member of the group turns a folder of receipts into a link, and files of the program are removed or written elsewhere',
    edits: one('src/files/guarded-place.ts', 'if (byHandle) return heldAt(openBelow(top, folder), folder);', ''),
    tests: ['test/security/shared-names.test.ts'],
  },
  {
    name: 'link-of-a-folder',
    breaks: 'a link of a member in the place of a folder of the day is followed',
    edits: one('src/files/guarded-place.ts', 'openSync(place, FOLDER | NO_LINK)', 'openSync(place, FOLDER)'),
    tests: ['test/security/shared-names.test.ts', 'test/security/hostile-member.test.ts'],
  },
  {
    name: 'under-way-not-read-again',
    breaks:
      'after a restore, documents of the export that was being sent are in no place, and the next export sends them twice',
    edits: one(
      'src/maintenance/restore-lost-summary.ts',
      "state: size === undefined ? 'admitted' : 'loading' },",
      "state: 'admitted' },",
    ),
    tests: ['test/recovery.test.ts'],
  },
  {
    name: 'under-way-sent',
    breaks: 'an export that was under way before a restore is sent a second time once the quarantine is over',
    edits: one(
      'src/pipeline/admission/hold-rules.ts',
      'if (replacedAt === undefined || file === undefined || file.claimedAt > replacedAt) return undefined;',
      'if (replacedAt !== undefined || file !== undefined) return undefined;',
    ),
    tests: ['test/recovery.test.ts'],
  },
  {
    name: 'attachment-by-name',
    breaks: 'a corrected invoice goes out with the file of another customer, which has the same name',
    edits: one(
      'src/pipeline/sources/open-attachments.ts',
      'if (!recorded?.inboxFirst) return again() ?? droppedContent(folder, name, look);',
      'if (!recorded?.inboxFirst) return droppedContent(folder, name, look);',
    ),
    tests: ['test/pipeline/reprocessing/content-of-revision.test.ts'],
  },
  {
    name: 'attachments-left-by-stop',
    breaks: 'after a stop, the file of one invoice stays in the inbox and goes out with the next one that names it',
    edits: one('src/runs/recover-run.ts', '  await moveUnlessAsked(context);\n', ''),
    tests: ['test/pipeline/sources/attachments-stop.test.ts'],
  },
  {
    name: 'named-without-marker',
    breaks: 'a named file leaves its marker, and the next file of the name is taken half-written',
    edits: one(
      'src/inbox/scan-inbox.ts',
      'return { ready: { ...candidate, marker } };',
      'return { ready: candidate };',
    ),
    tests: ['test/pipeline/intake/named-files.test.ts'],
  },
  {
    name: 'time-ahead-is-rest',
    breaks: 'a file that is still being written is taken where the clock of the share is ahead',
    edits: one(
      'src/inbox/at-rest.ts',
      'const age = nowMs - stats.mtimeMs;',
      'const age = Math.abs(nowMs - stats.mtimeMs);',
    ),
    tests: ['test/pipeline/intake/at-rest.test.ts'],
  },
  {
    name: 'postgres-any-certificate',
    breaks: 'somebody between the program and the server reads every document, although tls is verify',
    edits: one(
      'src/database/postgres/postgres-session.ts',
      "if (tls === 'required') return",
      "if (tls !== 'off') return",
    ),
    tests: ['test/database/postgres/own-server.test.ts'],
  },
  {
    name: 'postgres-pages-not-read',
    breaks: 'doctor --deep calls pages of the server sound that nothing has looked at',
    edits: one('src/doctor/doctor-postgres.ts', 'if (unlooked === undefined) return', 'if (unlooked !== null) return'),
    tests: ['test/database/postgres/pages.test.ts'],
  },
  {
    name: 'long-key-cut',
    breaks: 'two documents whose numbers differ in the last letter of a long text count as one, and one is never sent',
    edits: one('src/database/stored-key.ts', '`${start} sha256:${sha256Hex(key)}`', '`${start} sha256:`'),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'long-key-not-converted',
    breaks:
      'the upgrade leaves long identities under the form of before, where nothing finds them: their documents go a second time',
    edits: one('src/database/open-database.ts', '  upgradeAllKeys(db);\n', ''),
    tests: ['test/database/upgrade.test.ts'],
  },
  {
    name: 'notice-before-commit',
    breaks: 'a mail reports the end of a run that the ledger does not know, and the next run reports it again',
    edits: one(
      'src/cli/session/recorded-run.ts',
      'if (maySend) await ledger.runs.endRun(id, ending, await notices.compose(about, facts));',
      `const reports = await notices.compose(about, facts);
    if (maySend) await ledger.notices.addNotices(reports);
    await notices.send(about, facts, maySend);
    if (maySend) await ledger.runs.endRun(id, ending, []);`,
    ),
    tests: ['test/notices/deadlines.test.ts'],
  },
  {
    name: 'tries-not-counted',
    breaks: 'a mail server that refuses a notice gets it for ever',
    edits: one(
      'src/notices/deliver-notices.ts',
      'if (!(await ledger.notices.beginTry(notice, now().getTime() + (waitMs ?? 0)))) return undefined;',
      '',
    ),
    tests: ['test/notices/notices.test.ts'],
  },
  {
    name: 'reminded-every-day',
    breaks: 'what waits is in a mail every morning, so that people read none of them',
    edits: one('src/notices/digest.ts', 'since > at && (isDaily || reminders(since) > reminders(at))', 'since > at'),
    tests: ['test/notices/digest.test.ts'],
  },
  {
    name: 'late-counts-twice',
    breaks: 'an export that came late yesterday hides that the one of today is missing',
    edits: one(
      'src/pipeline/intake/expected-exports.ts',
      '[LATE, LATE_IF_MISSED, LAST] = [0.25, 0.5, 0.75]',
      '[LATE, LATE_IF_MISSED, LAST] = [0, 0, 0.75]',
    ),
    tests: ['test/views/reporting/arrival-cases.test.ts'],
  },
  {
    name: 'postgres-read-committed',
    breaks: 'two workers read the same and both write: one of them is forgotten, or a document begins twice',
    edits: one(
      'src/database/postgres/postgres-commit.ts',
      "session.ask('BEGIN ISOLATION LEVEL SERIALIZABLE')",
      "session.ask('BEGIN ISOLATION LEVEL READ COMMITTED')",
    ),
    tests: ['test/database/postgres/conflicts.test.ts'],
  },
  {
    name: 'postgres-hasty-commit',
    breaks: 'where the server is set to answer a COMMIT early, a fail-over forgets what was sent last',
    edits: one(
      'src/database/postgres/open-postgres.ts',
      "if (LESS_THAN_ON.has(durability ?? null)) await session.ask('SET synchronous_commit = on');",
      '',
    ),
    tests: ['test/database/postgres/open.test.ts'],
  },
  {
    name: 'postgres-pooler-unseen',
    breaks: 'a pooler shares the settings of a session with others: a commit is answered early, a lock is lost',
    edits: one(
      'src/database/postgres/postgres-session.ts',
      'if (await isPooled(client, connection.stream.localPort)) throw new PoolerBetween();',
      'if (!client) throw new PoolerBetween();',
    ),
    tests: ['test/database/postgres/open.test.ts'],
  },
  {
    name: 'postgres-warning-is-success',
    breaks: 'a commit that the replica does not have counts: after a fail-over its document is sent a second time',
    edits: one(
      'src/database/postgres/postgres-commit.ts',
      'if (warning !== undefined) throw',
      "if (warning === '') throw",
    ),
    tests: ['test/database/postgres/driver.test.ts'],
  },
  {
    name: 'postgres-unclear-commit-is-done',
    breaks: 'a document is sent although nothing recorded that it is under way',
    edits: one(
      'src/database/postgres/postgres-commit.ts',
      'throw new CommitUnknown(`the server did not confirm a commit: ${(error as Error).message}`, { cause: error });',
      "return 'COMMIT';",
    ),
    tests: ['test/database/postgres/driver.test.ts'],
  },
  {
    name: 'postgres-one-name-interleaves',
    breaks: 'two works about one document run into each other, and each sees half of the other one',
    edits: one('src/database/postgres/work-shifts.ts', '!names.has(apart.name) && ', ''),
    tests: ['test/database/postgres/driver.test.ts'],
  },
  {
    name: 'postgres-nameless-interleaves',
    breaks: 'a work that nothing may run next to, such as one of the chain of receipts, runs next to others',
    edits: one('src/database/postgres/work-shifts.ts', ' && !names.has(undefined)', ''),
    tests: ['test/database/postgres/driver.test.ts'],
  },
  {
    name: 'postgres-late-statement',
    breaks: 'a statement of a work that still runs when its transaction has ended becomes part of the next one',
    edits: one('src/database/postgres/postgres-transaction.ts', 'if (transaction.isOver) throw', 'if (!sql) throw'),
    tests: ['test/database/postgres/conflicts.test.ts'],
  },
  {
    name: 'begun-as-seen-only',
    breaks: 'a document that was tried since it was found due is taken for one that another program sends',
    edits: one('src/ledger/submission/submissions.ts', 'return begun ?? (await', 'return asSeen ? begun : (await'),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'postgres-late-answer-undoes',
    breaks: 'a work that fails over an answer that came with the commit runs again, and what is stored is stored twice',
    edits: one(
      'src/database/postgres/postgres-commit.ts',
      'const [results, count] = [await running, await sealed];',
      "const [results, count] = [await running, await sealed];\n    if (results.some((one) => 'error' in one)) throw new WorkFailed();",
    ),
    tests: ['test/database/postgres/at-once.test.ts'],
  },
  {
    name: 'postgres-all-ask-at-once',
    breaks: 'a transaction ends before its works have asked all of their statements',
    edits: one('src/database/postgres/postgres-commit.ts', 'batch.every(({ apart }) => apart?.isAtOnce) && ', ''),
    tests: ['test/database/postgres/driver.test.ts'],
  },
  {
    name: 'postgres-changed-content-begun',
    breaks: 'a document whose content was changed in the ledger is taken for one that is under way',
    edits: one(
      'src/database/postgres/postgres-driver.ts',
      "\n  sha256: (text) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,",
      '',
    ),
    tests: ['test/ledger/postgres/postgres.test.ts'],
  },
  {
    name: 'postgres-error-swallowed',
    breaks: 'a work that goes on after an error of the server is reported as stored, and the server has undone it',
    edits: one('src/database/postgres/postgres-commit.ts', "if (answer !== 'COMMIT') {", "if (answer === '') {"),
    tests: ['test/database/postgres/driver.test.ts'],
  },
  {
    name: 'begin-unfenced',
    breaks:
      'a worker that stood still sends next to the one that took its role over: more than the service allows at a time',
    edits: one(
      'src/ledger/workers/worker-rows.ts',
      'return `EXISTS (SELECT 1 FROM role o WHERE o.name = ? AND o.worker = ? AND o.fence = ? AND o.until > ${nowMs})`;',
      'return `NOT EXISTS (SELECT 1 FROM role o WHERE o.name = ? AND o.worker = ? AND o.fence = ? AND ${nowMs} < 0)`;',
    ),
    tests: ['test/ledger/workers/sqlite-workers.test.ts'],
  },
  {
    name: 'sweep-newly-gone-only',
    breaks: 'a document that a dead worker claimed shortly before its lease ended stays under way for ever',
    edits: one(
      'src/ledger/submission/submissions.ts',
      "? `AND ${ofNoLivingWorker('e.begun_by')}`",
      "? `AND ${ofNoLivingWorker('e.begun_by')} AND NOT EXISTS (SELECT 1 FROM worker v WHERE v.id = e.begun_by AND v.gone < (SELECT MAX(x.until) FROM worker x) - 60000)`",
    ),
    tests: ['test/ledger/workers/sqlite-workers.test.ts'],
  },
  {
    name: 'stop-without-answers',
    breaks: 'what ended in the last minutes before a stop is reported to the ERP only by the next watch',
    edits: one('src/pipeline/answers/report-answers.ts', 'AbortSignal.timeout(AT_THE_END_MS)', 'AbortSignal.abort()'),
    tests: ['test/pipeline/answers/answers.test.ts'],
  },
  {
    name: 'repeat-counts-as-accepted',
    breaks: 'the ERP books a rejected invoice as accepted, because it exported it once more',
    edits: one(
      'src/pipeline/answers/answer-facts.ts',
      "if (entry.state !== 'duplicate') return entry;",
      'if (!entry.repeats || entry.repeats) return entry;',
    ),
    tests: ['test/pipeline/answers/repeated-answers.test.ts'],
  },
  {
    name: 'repeats-stay-as-reported',
    breaks: 'an invoice in doubt that was exported twice keeps its old letter in the ERP when it is settled',
    edits: one(
      'src/ledger/records/answer-outcomes.ts',
      "e.state = 'duplicate' AND e.first IN (PLACES)",
      "e.state = '' AND e.first IN (PLACES)",
    ),
    tests: ['test/pipeline/answers/repeated-answers.test.ts'],
  },
  {
    name: 'sum-with-unknown-part-passes',
    breaks: 'an invoice without its VAT total is sent with any final amount',
    edits: one(
      'src/documents/rules/fr/fr-total-part-rules.ts',
      'else if (!tax.amount) broken',
      'else if (!tax) broken',
    ),
    tests: ['test/documents/rules/unknown-parts.test.ts'],
  },
  {
    name: 'answers-wait-after-start',
    breaks: 'answers that a killed watch left wait for a whole interval more',
    edits: one('src/runs/watch.ts', 'clock.monotonic() - every;', 'clock.monotonic();'),
    tests: ['test/pipeline/answers/answers.test.ts'],
  },
  {
    name: 'looks-by-thirds-only',
    breaks: 'the work of a dead worker waits for up to a third of a lease after that lease has ended',
    edits: one(
      'src/runs/take-over.ts',
      'return Math.min(roles.leaseMs / LOOKS_PER_LEASE, lapseMs);',
      'return lapseMs > 0 ? roles.leaseMs / LOOKS_PER_LEASE : lapseMs;',
    ),
    tests: ['test/ledger/workers/keep-roles.test.ts'],
  },
  {
    name: 'look-waits-for-a-turn',
    breaks: 'while one worker reads a large file, the service of a dead one gets nothing',
    edits: one(
      'src/runs/take-over.ts',
      'if (settling || stop.aborted',
      'await settling;\n    if (settling || stop.aborted',
    ),
    tests: ['test/ledger/workers/keep-roles.test.ts'],
  },
  {
    name: 'own-files-are-leftovers',
    breaks: 'a worker that took the receipts over removes what it is writing itself, and ends',
    edits: one(
      'src/runs/take-over.ts',
      'removeLeftoverOutputs(instance.folder, takenMs);',
      'removeLeftoverOutputs(instance.folder, Date.now());',
    ),
    tests: ['test/ledger/workers/keep-roles.test.ts'],
  },
  {
    name: 'leftovers-by-own-clock',
    breaks:
      'a machine whose clock is a day off removes the receipts that it is writing on a share, or keeps leftovers for good',
    edits: one(
      'src/runs/take-over.ts',
      'await timeOfFiles(context.instance.folder);\n  const wanted',
      'context.clock.now().getTime();\n  const wanted',
    ),
    tests: ['test/ledger/workers/keep-roles.test.ts'],
  },
  {
    name: 'waits-for-a-failed-writer',
    breaks: 'a watch that can write no receipts never ends: a service manager cannot start it again',
    edits: one(
      'src/pipeline/publishing/publish-results.ts',
      'for (const { resolve } of asked.splice(0)) resolve();',
      '',
    ),
    tests: ['test/runs/watch.test.ts'],
  },
  {
    name: 'role-not-witnessed',
    breaks: 'after a fail-over to a server that lost commits of a worker, its documents are sent a second time',
    edits: one('src/database/postgres/postgres-commit.ts', 'if (rows.length > 0) counted?.(rows);', ''),
    tests: ['test/ledger/postgres/two-watches.test.ts'],
  },
  {
    name: 'receiver-is-a-replica',
    breaks: 'doctor calls a server safe whose commits wait for pg_receivewal alone: a fail-over forgets what was sent',
    edits: one('src/database/postgres/durability.ts', 'Number(any ?? 1) > others;', 'others >= 0;'),
    tests: ['test/database/postgres/own-server.test.ts'],
  },
  {
    name: 'silent-lock',
    breaks: 'a proxy ends the connection that has the lock of the ledger: a second run begins next to the first',
    edits: one('src/database/postgres/postgres-session.ts', "=== 'I') client", "=== '') client"),
    tests: ['test/database/postgres/silent-connection.test.ts'],
  },
  {
    name: 'two-primaries-send',
    breaks: 'after a replica was promoted while its former primary lives, watches on both send each document',
    edits: one(
      'src/ledger/installation/server-claim.ts',
      'if (found?.server === claim.server) return;',
      "if (claim.server !== '') return;",
    ),
    tests: ['test/ledger/postgres/two-primaries.test.ts'],
  },
  {
    name: 'two-starts-count-alike',
    breaks:
      'of two primaries that counted one start each, the one whose program was refused sends everything once more',
    edits: one(
      'src/ledger/installation/send-guard.ts',
      '!== generation || claimed.isOurs)',
      '!== generation || claimed)',
    ),
    tests: ['test/ledger/postgres/two-primaries.test.ts'],
  },
  {
    name: 'claims-without-a-second-look',
    breaks: 'a document that the former primary sent between the look and the start of another program is sent twice',
    edits: one('src/ledger/engine/postgres-engine.ts', '  await lookAgain(driver);\n', ''),
    tests: ['test/ledger/postgres/two-primaries.test.ts'],
  },
  {
    name: 'watch-next-to-a-run',
    breaks: 'a run works on the documents of living workers as if they had stopped',
    edits: one(
      'src/ledger/engine/postgres-lock.ts',
      "const take = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';",
      "const take = 'pg_try_advisory_lock_shared';",
    ).concat(
      one('src/ledger/engine/postgres-lock.ts', 'if (!isShared) await untilNoneLives(session, place, onWait);', ''),
    ),
    tests: ['test/ledger/postgres/two-watches.test.ts'],
  },
  {
    name: 'gone-becomes-ready',
    breaks: 'a document that a dead worker may have sent is sent a second time',
    edits: [
      ...one(
        'src/runs/recover-run.ts',
        'verdict = cutOffAt(now);',
        "verdict = { ...cutOffAt(now), state: 'ready', resend: { kind: 'not-sent', afterMs: 0 } };",
      ),
      ...one(
        'src/ledger/submission/submissions.ts',
        "if (!answered && state !== 'in-doubt') throw",
        'if (!answered && state === undefined) throw',
      ),
    ],
    tests: ['test/ledger/postgres/two-watches.test.ts'],
  },
  {
    name: 'fence-not-met',
    breaks:
      'an intent whose commit is late counts after another worker has taken the role over: both send at the same time',
    edits: one(
      'src/ledger/submission/submissions.ts',
      'if (worker) sql.atEnd(COUNT_COMMIT, role, worker.id, fence);',
      '',
    ),
    tests: ['test/ledger/postgres/two-workers.test.ts'],
  },
  {
    name: 'archived-copy-is-new',
    breaks: 'an export of a dead worker that goes to the archive is recorded once more, as one that is missing',
    edits: one('src/runs/recover-run.ts', 'return isMissing(path);', 'return isMissing(path) && false;'),
    tests: ['test/ledger/postgres/leftover-claims.test.ts'],
  },
  {
    name: 'late-drop',
    breaks: 'a worker that stood still drops documents that another one has read of the file meanwhile',
    edits: one('src/ledger/records/finish-staging.ts', '    await expectOwnFile(sql, context, file);\n', ''),
    tests: ['test/ledger/postgres/two-workers.test.ts'],
  },
  {
    name: 'late-decision',
    breaks: 'one decision of a person sends a failed document twice: a worker that stood still makes it again',
    edits: one('src/ledger/contract/ledger-context.ts', '        await worker.expectLiving(sql);\n', ''),
    tests: ['test/ledger/workers/sqlite-workers.test.ts'],
  },
  {
    name: 'mark-goes-first',
    breaks: 'after a restart of the server no watch starts, because the one before seems to have another folder',
    edits: one('src/ledger/engine/postgres-engine.ts', 'if (isGone) unmark();', 'unmark();'),
    tests: ['test/ledger/postgres/other-folder.test.ts'],
  },
  {
    name: 'run-next-to-a-late-watch',
    breaks: 'a run works next to a watch that lost its lock while it began, and both send',
    edits: one(
      'src/ledger/engine/postgres-engine.ts',
      'if (living) throw new LockedError(living.holder, undefined);',
      '',
    ),
    tests: ['test/ledger/postgres/lost-lock.test.ts'],
  },
  {
    name: 'late-claim-opens-a-file',
    breaks: 'an export is taken twice: by a worker that was cut off, and by the one that took its folder over',
    edits: one('src/ledger/records/source-files.ts', '  await context.worker?.expectLiving(sql);\n', ''),
    tests: ['test/ledger/postgres/two-workers.test.ts'],
  },
  {
    name: 'identity-of-another-file-unseen',
    breaks:
      'two workers that read one document at the same moment both send it, or a good file is refused as an internal error',
    edits: one(
      'src/ledger/intake/existing-entries.ts',
      "throw new BusyIdentityError(row.staged_file as string, text(row, 'file_name'));",
      "throw new Error(text(row, 'file_name'));",
    ),
    tests: ['test/ledger/postgres/two-workers.test.ts'],
  },
  {
    name: 'file-of-another-worker',
    breaks: 'a worker that stood still admits a file that another one has read again meanwhile',
    edits: one('src/ledger/records/source-files.ts', 'if (worker && row.worker !== worker.id) throw leaseLost();', ''),
    tests: ['test/ledger/workers/sqlite-workers.test.ts'],
  },
  {
    name: 'read-left-open',
    breaks: 'an open page lets the log of the ledger grow until the disk is full',
    edits: one(
      'src/search/ledger-changes.ts',
      "const last = (table: 'event' | 'attempt') =>",
      "if (!db.isTransaction) db.exec('BEGIN');\n      const last = (table: 'event' | 'attempt') =>",
    ),
    tests: ['test/console/events.test.ts'],
  },
  {
    name: 'unseen-cells-corrected',
    breaks: 'a correction that a person typed for other cells is written into those of now',
    edits: one(
      'src/console/screens/documents/document-fix.ts',
      "if (!rows || hashOfCells(rows) !== form.get('cells')) return",
      'if (!rows) return',
    ),
    tests: ['test/console/document.test.ts'],
  },
  {
    name: 'formula-exported',
    breaks: 'a spreadsheet runs what a customer has written into a name',
    edits: one(
      'src/console/screens/documents/documents-export.ts',
      'const cell = guardFormula(text);',
      'const cell = text;',
    ),
    tests: ['test/console/documents.test.ts'],
  },
  {
    name: 'decision-unjudged',
    breaks: 'a program records as authorized what no one has seen to be authorized',
    edits: one(
      'src/decisions/carry-out.ts',
      'if (isAsSeen(entry, seen) && whyNotDecided(context.instance, entry, asked)) refused.add(seen.id);',
      'if (!isAsSeen(entry, seen) && whyNotDecided(context.instance, entry, asked)) refused.add(seen.id);',
    ),
    tests: ['test/console/api-acts.test.ts'],
  },
  {
    name: 'set-aside-brought-back',
    breaks: 'a correction of a whole group sends a document that a person has set aside meanwhile',
    edits: one('src/decisions/carry-out.ts', ' && isAsideAsSeen(entry, seen)) open', ') open'),
    tests: ['test/console/work.test.ts'],
  },
  {
    name: 'later-decision-undone',
    breaks: 'the undo of an act takes back the decision that another person made after it',
    edits: one('src/console/screens/work/act-screen.ts', 'last?.at === at && last.what', 'last?.what'),
    tests: ['test/console/work.test.ts'],
  },
  {
    name: 'stale-look-accepted',
    breaks: 'an act is done to documents that changed since the person saw them',
    edits: one(
      'src/console/api/act-routes.ts',
      'if (count !== looked.expect.count || sha256 !== looked.expect.sha256) {',
      'if (count !== looked.expect.count) {',
    ),
    tests: ['test/console/api-acts.test.ts'],
  },
  {
    name: 'spreadsheet-damage-taken',
    breaks: 'what a spreadsheet made of a cell is sent as if a person had typed it',
    edits: one(
      'src/pipeline/reprocessing/diff-correction.ts',
      'if (damage === undefined || isTyped) changes.push(change);',
      'if (damage === undefined || isTyped || !atFault) changes.push(change);',
    ),
    tests: ['test/pipeline/reprocessing/damage-rules.test.ts', 'test/pipeline/reprocessing/damaged-sheets.test.ts'],
  },
  {
    name: 'resend-on-restart',
    breaks: 'what was under way when the program stopped is sent once more',
    edits: [
      {
        file: 'src/runs/recover-run.ts',
        from: 'verdict = cutOffAt(now);',
        to: "verdict = { ...cutOffAt(now), state: 'ready', resend: { kind: 'not-sent', afterMs: 0 } };",
      },
      {
        file: 'src/ledger/submission/submissions.ts',
        from: "if (!answered && state !== 'in-doubt')",
        to: 'if (false)',
      },
    ],
    tests: ['test/crash.test.ts'],
  },
  {
    name: 'told-before-the-commit',
    breaks: 'a document leaves before its intent is durable',
    edits: one(
      'src/database/group-commit.ts',
      "    const count = seal(sql);\n    await sql.run('COMMIT');",
      "    for (const [at, { settle }] of batch.entries()) settle(results[at]!);\n    await new Promise((resolve) => setTimeout(resolve, 20));\n    const count = seal(sql);\n    await sql.run('COMMIT');",
    ),
    tests: ['test/database/group-commit.test.ts', 'test/ledger/crash.test.ts'],
  },
  {
    name: 'archive-before-receipts',
    breaks: 'an export is put away before its receipts are written',
    edits: one(
      'src/pipeline/publishing/publish-results.ts',
      'const done = page.filter(({ path, rereads }) => rereads === undefined && !inUse.has(path));',
      'const done = page.filter(({ rereads }) => rereads === undefined);',
    ),
    tests: ['test/pipeline/intake/shared-files.test.ts', 'test/crash.test.ts'],
  },
  {
    name: 'retry-on-server-error',
    breaks: 'a document that may have been processed is sent again after HTTP 503',
    edits: one(
      'src/delivery/response-policy.ts',
      '  return inDoubt(reason, ours);\n}\n\nfunction notSent',
      "  return { state: 'ready', reason, resend: { kind: 'not-sent', afterMs: 1000 } };\n}\n\nfunction notSent",
    ),
    tests: ['test/delivery/policy.test.ts'],
  },
  {
    name: 'unknown-code-is-fine',
    breaks: 'a code that no one knows counts as authorized',
    edits: one(
      'src/delivery/response-policy.ts',
      'const state = STATE_BY_CODE.get(answer.code);\n  if (state === undefined) return { ...inDoubt(',
      "const state = STATE_BY_CODE.get(answer.code) ?? 'authorized';\n  if (state === undefined) return { ...inDoubt(",
    ),
    tests: ['test/delivery/policy.test.ts'],
  },
  {
    name: 'code-as-text',
    breaks: 'a code that is a text counts',
    edits: one(
      'src/delivery/parse-reply.ts',
      'if (!isInteger(code.digits)) return',
      'code.digits ??= String(code.value);\n  if (!isInteger(code.digits)) return',
    ),
    tests: ['test/delivery/policy.test.ts'],
  },
  {
    name: 'any-echo',
    breaks: 'the answer to another document is taken for that of this one',
    edits: one('src/delivery/parse-reply.ts', "=== own ? 'ours' : 'wrong'", "=== own ? 'ours' : 'ours'"),
    tests: ['test/delivery/policy.test.ts', 'test/delivery/unknown-fate.test.ts'],
  },
  {
    name: 'new-number-on-retry',
    breaks: 'a corrected remission note gets another number',
    edits: one(
      'src/ledger/records/number-sequences.ts',
      'if (row) return row.number as number;',
      'if (row && Number(row.number) < 0) return row.number as number;',
    ),
    tests: ['test/ledger/sqlite.test.ts', 'test/pipeline/admission/sequence.test.ts'],
  },
  {
    name: 'identity-lost-on-failure',
    breaks: 'a document that failed once is a new one when it comes again',
    edits: one(
      'src/ledger/intake/staging.ts',
      'const keys = takesKeys ? await takeIdentities(staging, entry, item) : undefined;',
      "const keys = takesKeys && state !== 'invalid' ? await takeIdentities(staging, entry, item) : undefined;",
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'copy-of-other-rows',
    breaks: 'a document with other cells than the corrected one counts as a copy of it, and is never issued',
    edits: one('src/model/row.ts', "cell === '' ? []", "cell === '' || /\\d/.test(cell) ? []"),
    tests: ['test/pipeline/reprocessing/corrected-copies.test.ts'],
  },
  {
    name: 'copy-in-place-of-the-corrected',
    breaks: 'a copy of the faulty rows takes the place of the corrected document',
    edits: one(
      'src/ledger/intake/corrected-rows.ts',
      'isReplaceable(entry.state as State) && !isAside(entry)',
      "entry.state !== 'authorized'",
    ),
    tests: ['test/pipeline/reprocessing/corrected-copies.test.ts'],
  },
  {
    name: 'set-aside-read-again',
    breaks: 'a correction file with the unchanged rows of a document that a person has set aside sends it',
    edits: one('src/pipeline/reprocessing/reread-unchanged.ts', '!isClosed(entry) && ', ''),
    tests: ['test/pipeline/reprocessing/unchanged-reread.test.ts'],
  },
  {
    name: 'duplicate-by-name',
    breaks: 'the same export under another name is sent once more, as far as files go',
    edits: one(
      'src/pipeline/intake/same-export.ts',
      '[...mapping.asks].map((fact)',
      "[...mapping.asks, 'file' as const].map((fact)",
    ),
    tests: ['test/runs/night.test.ts', 'test/samples/inbox-example.test.ts'],
  },
  {
    name: 'same-number-twice',
    breaks: 'a document whose number was sent already is sent again',
    edits: one(
      'src/ledger/intake/decide-outcome.ts',
      "if (valid && isKnownContent(first, digest)) return separate('duplicate');",
      "if (valid && isKnownContent(first, digest)) return { what: 'revision', of: first, state };",
    ),
    tests: ['test/ledger/sqlite.test.ts', 'test/runs/night.test.ts'],
  },
  {
    name: 'not-found-is-not-sent',
    breaks: 'one consultation that does not know a document makes it correctable',
    edits: one(
      'src/delivery/response-policy.ts',
      'return stay(CONSULTED.notKnown(), false, { answer });',
      "return { state: 'rejected', ...because(CONSULTED.notKnown()), answer };",
    ),
    tests: ['test/delivery/policy.test.ts', 'test/delivery/consult.test.ts'],
  },
  {
    name: 'an-older-ledger-sends',
    breaks: 'a restored backup sends what was sent since',
    edits: one('src/ledger/installation/send-guard.ts', 'if (reached > found) return', 'if (false) return'),
    tests: ['test/ledger/guard.test.ts'],
  },
  {
    name: 'a-copied-ledger-sends',
    breaks: 'two copies of an instance send the same documents',
    edits: one('src/ledger/installation/send-guard.ts', 'if (facts.place !== facts.here) {', 'if (false) {'),
    tests: ['test/ledger/guard.test.ts'],
  },
  {
    name: 'no-second-look',
    breaks: 'a file that grew while it was copied is taken as complete',
    edits: one(
      'src/inbox/claim-candidates.ts',
      'if (taken.bytes !== stats.size || !isSameFile(stats, now) || now.nlink > 1) {',
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
    tests: ['test/ledger/sqlite.test.ts', 'test/pipeline/reprocessing/reprocess.test.ts'],
  },
  {
    name: 'held-goes-out',
    breaks: 'a document that a rule holds is sent without a person',
    edits: one(
      'src/ledger/intake/staging.ts',
      "const state = hold ? 'held' : placed.state;",
      'const state = placed.state;',
    ),
    tests: ['test/pipeline/admission/hold-rules.test.ts'],
  },
  {
    name: 'no-canary',
    breaks: 'a broken mapping costs more than one document',
    edits: one(
      'src/pipeline/service-state/canary-release.ts',
      'if (count === 0) return false;',
      'if (count >= 0) return false;',
    ),
    tests: ['test/pipeline/service-state/same-cause.test.ts'],
  },
  {
    name: 'purge-forgets',
    breaks: 'an old document that was purged can be issued again',
    edits: one(
      'src/ledger/records/purge-records.ts',
      "'UPDATE attempt SET exchange = NULL, answer = NULL, reason = NULL, phrases = NULL WHERE entry = ?',",
      "'UPDATE attempt SET exchange = NULL, answer = NULL, reason = NULL, phrases = NULL WHERE entry = ?',\n  'DELETE FROM identity WHERE entry = ?',",
    ),
    tests: ['test/maintenance/purge.test.ts'],
  },
  {
    name: 'chain-not-compared',
    breaks: 'a changed link of the chain of receipts is not told',
    edits: one('src/verify/verify-chain.ts', 'else if (link.previous !== last?.hash) {', 'else if (link.n < 0) {'),
    tests: ['test/verify/verify.test.ts'],
  },
  {
    name: 'events-not-compared',
    breaks: 'a person or reason that was changed in the ledger is not found',
    edits: one(
      'src/verify/verify-events.ts',
      'const at = ofNumber.findIndex(({ sha256 }) => sha256 === hash);',
      'const at = ofNumber.findIndex(({ sha256 }) => sha256 === hash || hash.length > 0);',
    ),
    tests: ['test/verify/verify-events.test.ts'],
  },
  {
    name: 'events-not-counted',
    breaks: 'an event that someone adds to the ledger gets a link as if it were recorded',
    edits: one(
      'src/ledger/records/event-seals.ts',
      "OR n > (SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'events')",
      'OR n > 1000000',
    ),
    tests: ['test/verify/verify-events.test.ts'],
  },
  {
    name: 'page-not-escaped',
    breaks: 'a cell of an export runs as a script in the page of a dossier',
    edits: one(
      'src/pages/markup.ts',
      "(typeof value === 'string' ? visible(value) : value)",
      'Object.assign(new String(value), { isEscaped: true as const }) as Markup',
    ),
    tests: ['test/pages/dossier.test.ts'],
  },
  {
    name: 'newer-receipt-of-same-state',
    breaks: 'a restore forgets a consultation since the backup, and verify reports its receipt as changed',
    edits: one(
      'src/ledger/records/import-outputs.ts',
      'return links.length > 0 && links.every((link) => link.previous !== previous);',
      'return links.length < 0 && links.every((link) => link.previous !== previous);',
    ),
    tests: ['test/maintenance/restore.test.ts'],
  },
  {
    name: 'edited-receipt-imported',
    breaks: 'a restore imports an attempt that someone wrote into a receipt',
    edits: one(
      'src/ledger/records/import-outputs.ts',
      'return links.length > 0 && links.every((link) => link.previous !== previous);',
      'return links.length > 0 || previous === null;',
    ),
    tests: ['test/maintenance/restore.test.ts'],
  },
  {
    name: 'begin-after-request',
    breaks: 'a document is sent before its intent is in the ledger',
    edits: one(
      'src/pipeline/submission/send-due.ts',
      `  const sending = await ledger.submissions.begin(due, intent);
  if (!sending) return undefined;
  const { class: documentClass, identifier } = sending.due;
  const { content, requestId } = sending;
  const request = destination.submit({
    class: documentClass,
    content,
    identifier,
    requestId,
    now,
    mapping: due.mapping.id,
  });
  const started = pace.start();
  // A worker that was paused since its intent sends nothing: it gives the document back, or leaves it in doubt where another one has it.
  const mine = mayDo(context, \`send \${destination.name}\`);
  const exchange = mine ? await runtime.http(withToken(request, token)) : notOurs();
`,
      `  const { class: documentClass, identifier } = due;
  const content = (await ledger.queries.contentOf(due.id)) ?? '';
  const { requestId } = intent;
  const request = destination.submit({
    class: documentClass,
    content,
    identifier,
    requestId,
    now,
    mapping: due.mapping.id,
  });
  const started = pace.start();
  const exchange = await runtime.http(withToken(request, token));
  const sending = await ledger.submissions.begin(due, intent);
  if (!sending) return undefined;
`,
    ),
    tests: ['test/runs/night.test.ts', 'test/faults/intent.test.ts'],
  },
  {
    name: 'stop-sends-on',
    breaks: 'after a signal the program goes on to send what is queued, until it is killed',
    edits: one(
      'src/pipeline/submission/send-due.ts',
      '    !stop.aborted && gate.waitMs() <= 0 && (probe',
      '    gate.waitMs() <= 0 && (probe',
    ),
    tests: ['test/faults/signals.test.ts', 'test/runs/night.test.ts'],
  },
  {
    name: 'sent-next-to-intent',
    breaks:
      'the request leaves while its intention is being written, and a power cut at that moment sends the document again',
    edits: one(
      'src/pipeline/submission/send-due.ts',
      `  const sending = await ledger.submissions.begin(due, intent);
  if (!sending) return undefined;
  const { class: documentClass, identifier } = sending.due;
  const { content, requestId } = sending;
`,
      `  const beginning = ledger.submissions.begin(due, intent);
  const { class: documentClass, identifier } = due;
  const content = (await ledger.queries.contentOf(due.id)) ?? '';
  const { requestId } = intent;
  void runtime.http(withToken(destination.submit({ class: documentClass, content, identifier, requestId, now, mapping: due.mapping.id }), token));
  const sending = await beginning;
  if (!sending) return undefined;
`,
    ),
    tests: ['test/faults/intent.test.ts'],
  },
  {
    name: 'paused-sender-sends',
    breaks: 'a sender that lost its lease after its intent sends next to the one that took over',
    edits: one('src/pipeline/submission/send-due.ts', 'const exchange = mine ?', 'const exchange = mine || request ?'),
    tests: ['test/ledger/postgres/give-back.test.ts'],
  },
  {
    name: 'loser-never-alone',
    breaks: 'a large commit loses to the short ones of another worker until the sender ends',
    edits: one('src/database/postgres/postgres-commit.ts', '&& !isAlone;', '&& false;'),
    tests: ['test/database/postgres/conflicts.test.ts'],
  },
  {
    name: 'stale-answer-of-begin',
    breaks: 'a document that is no longer queued is begun all the same, by a worker that still has it on a list',
    edits: [
      {
        file: 'src/ledger/submission/submissions.ts',
        from: "WHERE e.id = ? AND e.revision = ? AND e.state = 'ready'`",
        to: 'WHERE e.id = ? AND e.revision = ?`',
      },
      {
        file: 'src/ledger/submission/submissions.ts',
        from: "AND e.submits = ? AND e.state = 'ready'",
        to: 'AND e.submits = ?',
      },
    ],
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'redirect-followed',
    breaks: 'a redirect sends the document and its token to another host',
    edits: [
      {
        file: 'src/delivery/http-exchange.ts',
        from: "const { Agent, ProxyAgent } = await import('undici');",
        to: "const { Agent, interceptors, ProxyAgent } = await import('undici');",
      },
      {
        file: 'src/delivery/http-exchange.ts',
        from: 'if (settings.proxy === undefined) return new Agent(options);',
        to: 'if (settings.proxy === undefined) return new Agent(options).compose(interceptors.redirect({ maxRedirections: 3 }));',
      },
    ],
    tests: ['test/security/outbound.test.ts'],
  },
  {
    name: 'same-file-by-name',
    breaks: 'a document whose number is the name of its file is taken for another one with the same bytes',
    edits: one(
      'src/pipeline/intake/same-export.ts',
      'file: (_, { earlier, file }) => earlier.name === file.name',
      'file: () => true',
    ),
    tests: ['test/runs/night.test.ts', 'test/pipeline/intake/same-export.test.ts'],
  },
  {
    name: 'export-hidden',
    breaks: 'the attachments of one mapping hide the invoices of another, which are never sent, without a word',
    edits: one(
      'src/pipeline/intake/inbox-names.ts',
      "return isOfAnother ? 'export-or-attachment' : 'attachment';",
      "return isOfAnother ? 'attachment' : 'attachment';",
    ),
    tests: ['test/pipeline/intake/inbox-names.test.ts'],
  },
  {
    name: 'control-file-hides-export',
    breaks: 'an export whose name fits the pattern of the control files is archived as one of them',
    edits: one(
      'src/pipeline/intake/inbox-names.ts',
      'taking.every((pattern) => isNarrower(control, pattern))',
      'control !== undefined',
    ),
    tests: ['test/pipeline/intake/inbox-names.test.ts'],
  },
  {
    name: 'attachment-not-kept',
    breaks: 'an attachment that is replaced after the commit of its export is in no archive',
    edits: one(
      'src/pipeline/admission/admit-file.ts',
      'await keepAttachments(context, file, attachments.taken());',
      '',
    ),
    tests: ['test/pipeline/sources/shared-attachments.test.ts'],
  },
  {
    name: 'year-of-reading',
    breaks: 'the same export, dated by the day of its reading, is sent once more in the next year',
    edits: one('src/ledger/intake/repeated-rows.ts', "(decision.what === 'new' && repeats.sameName)", 'false'),
    tests: ['test/pipeline/intake/same-export.test.ts'],
  },
  {
    name: 'attachment-too-late',
    breaks: 'an attachment that was missing is dropped with its export, and the document stays invalid',
    edits: one('src/pipeline/intake/same-export.ts', 'return invalid === 0;', 'return invalid >= 0;'),
    tests: ['test/pipeline/intake/same-export.test.ts'],
  },
  {
    name: 'not-found-is-ready',
    breaks: 'a document that a service does not know yet is sent once more by itself',
    edits: one(
      'src/ledger/submission/consultations.ts',
      '  const { answer: found } = verdict;\n',
      "  const { answer: found } = verdict;\n  if (found?.code === 18) await sql.run(`UPDATE entry SET state = 'ready', due_at = 0, consult_at = NULL WHERE id = ?`, entry);\n",
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'late-answer-counts',
    breaks: 'the answer to a question that was asked before a resend settles the resent submission',
    edits: one(
      'src/ledger/submission/consultations.ts',
      'const as = { revision: due.revision, submits, resolves, consults: n, state };',
      'const as = { revision: due.revision };',
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'outcome-holds-nothing',
    breaks: 'a document is sent again although its outcome has come',
    edits: one(
      'src/ledger/submission/attempt-effect.ts',
      "isLastSent(sql, about)) ? 'holds' :",
      "isLastSent(sql, about)) ? 'late' :",
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'outcome-against-a-person',
    breaks:
      'the correction of a document that a person has recorded as rejected is sent, although the service has said it has it',
    edits: one('src/ledger/submission/attempt-effect.ts', '!isLater && !isRecordedByPerson(now) &&', '!isLater &&'),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'question-after-a-late-answer',
    breaks:
      'the correction of a document whose late answer rejected it is sent, although a later question found it issued',
    edits: one('src/ledger/submission/attempt-effect.ts', ' && !(await isSettledBeforeQuestion(sql, now, about))', ''),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'unconfirmed-contingency',
    breaks: 'an answer that does not know a document in contingency counts as one that has it',
    edits: one('src/ledger/submission/attempt-effect.ts', '[isNews ? state : undefined, says]', '[state, says]'),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'refused-and-found',
    breaks: 'a late answer that knows a refused document changes nothing, and what takes its place is sent',
    edits: one('src/ledger/submission/attempt-effect.ts', "'conflict', 'refused'] satisfies", "'conflict'] satisfies"),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'undone-after-it-was-found',
    breaks: 'a decision is undone although the service has the document meanwhile, and the refused one is replaced',
    edits: one(
      'src/ledger/submission/attempt-effect.ts',
      "if (about.as.state === 'refused') return",
      "if (about.as.state === '') return",
    ),
    tests: ['test/rigs/sequences/sequences.test.ts'],
  },
  {
    name: 'returned-and-found',
    breaks: 'the service has a document of this number, and a person who recorded the returned one does not see it',
    edits: one(
      'src/ledger/submission/attempt-effect.ts',
      '[isNews ? state : undefined, says]',
      '[isNews ? state : undefined]',
    ),
    tests: ['test/rigs/sequences/sequences.test.ts'],
  },
  {
    name: 'mark-unseen',
    breaks: 'a person who looked before a late answer sends the document again',
    edits: one('src/ledger/submission/attempt-effect.ts', 'THEN since ELSE ? END', 'THEN since ELSE since + 0 * ? END'),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'not-found-by-the-clock',
    breaks: 'a clock that goes back makes an earlier "does not exist" count after an answer that knows the document',
    edits: one('src/ledger/records/not-found.ts', 'asked === undefined ?', 'asked !== -1 ?'),
    tests: ['test/rigs/sequences/sequences.test.ts'],
  },
  {
    name: 'away-inbox-ends-status',
    breaks: 'the status ends with an error while the inbox is away',
    edits: one(
      'src/instance/inbox-files.ts',
      '  } catch {\n    // What it is away for, a run reports.\n  }',
      '  } finally {}',
    ),
    tests: ['test/pipeline/intake/inbox-names.test.ts'],
  },
  {
    name: 'may-be-out-and-corrected',
    breaks: 'other content is sent under the number of a document that may be out and was set aside',
    edits: one(
      'src/ledger/records/moved-rows.ts',
      "return former && (mayBeOut(former.rule) || now === 'invalid') ? former : undefined;",
      'return undefined;',
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'unknown-content-sent',
    breaks: 'content that a rebuilt ledger does not know is sent again after the last one was recorded as rejected',
    edits: one(
      'src/ledger/records/moved-rows.ts',
      'return hasUnknown(sentBefore(row)) ?',
      'return row === undefined ?',
    ),
    tests: ['test/maintenance/restored-rejections.test.ts'],
  },
  {
    name: 'archived-export-forgotten',
    breaks: 'documents of an export whose receipts and summary are lost are sent again after a rebuild',
    edits: one(
      'src/maintenance/restore-instance.ts',
      '  for await (const _ of recoverUnknownExports(instance, sql, { now, unreadable })) yield;\n',
      '',
    ),
    tests: ['test/maintenance/restored-damaged.test.ts'],
  },
  {
    name: 'refused-without-identity',
    breaks: 'a document that was refused in quarantine without its identity is sent from the next export',
    edits: one('src/ledger/records/finish-staging.ts', 'if (!row.of_replaced ||', 'if (row.of_replaced ||'),
    tests: ['test/maintenance/restored-refusals.test.ts'],
  },
  {
    name: 'recorded-about-a-correction',
    breaks: 'an outcome is recorded about a correction that was never sent',
    edits: one('src/ledger/submission/recall-answered.ts', 'if (answered === undefined) return now;', 'return now;'),
    tests: [
      'test/rigs/sequences/sequences.test.ts',
      'test/ledger/sqlite.test.ts',
      'test/pipeline/submission/recalled.test.ts',
    ],
  },
  {
    name: 'not-found-of-before',
    breaks: '"does not exist" of an earlier submission proves that the later one was not processed',
    edits: one('src/ledger/records/not-found.ts', "s.act = 'submit'), -1)", "s.act = 'none'), -1)"),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'rows-not-asked',
    breaks: 'a document is sent with rows that another one may have sent, wherever they have moved',
    edits: one('src/ledger/submission/submissions.ts', "${looked ? '' : `AND NOT ${MAY_SHARE}`}", ''),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'rows-asked-in-vain',
    breaks: 'a document of which rows may be sent in another one is begun all the same',
    edits: one(
      'src/ledger/submission/submissions.ts',
      '!row || (await holdShared(sql, context, due.id, { at: intent.at }))',
      '!row',
    ),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'rows-moved-unseen',
    breaks: 'a part is sent although the document that it was split from may be there',
    edits: one(
      'src/ledger/records/moved-rows.ts',
      'WHERE entry IN (${places}) AND moved IS NULL',
      'WHERE entry IN (${places}) AND 1 = 0',
    ),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'rows-moved-once',
    breaks: 'a document is sent with rows of one that was set apart and corrected since',
    edits: one('src/ledger/records/moved-rows.ts', '\n  OR o.moved IS NOT NULL)', ')'),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'set-apart-with-the-same-rows',
    breaks: 'a correction that was set apart from a document that was sent is sent under another number',
    edits: one('src/ledger/records/finish-staging.ts', "first, valueIn(row, 'rereads'), owner", 'first, null, owner'),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'answer-after-the-release',
    breaks: 'a part that a person let go before an answer is sent after it',
    edits: one('src/ledger/records/shared-rows.ts', "${entry} ${n} ${known ?? outcome ?? ''}", '${entry} ${n}'),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'recorded-and-sent',
    breaks: 'a part is sent although a person has recorded that the service has the document',
    edits: one(
      'src/ledger/records/shared-rows.ts',
      "AND e.state IN ('authorized', 'invalidated',",
      "AND e.state IN ('',",
    ),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'found-before-the-upgrade',
    breaks: 'a part is sent after an upgrade although the service has what it refused first',
    edits: one('src/database/shared-rows-columns.ts', 'AND (${IS_LAST} OR (', 'AND (('),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'undone-and-sent',
    breaks: 'a part is sent by the decision of a person that was undone',
    edits: one('src/ledger/submission/resolutions.ts', '  await noteUndone(sql, entry, undidAt);\n', ''),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'rows-kept-elsewhere',
    breaks: 'what was set apart from a document is queued next to it, without a person',
    edits: one('src/ledger/records/shared-rows.ts', '(isNew && (await findKeeper(sql, contents, place)))', 'undefined'),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'rejected-by-an-answer',
    breaks: 'a part of a document that an answer has rejected waits for a person without a reason',
    edits: one('src/ledger/records/attempts.ts', "SET known = 'no' WHERE ${where}", 'SET known = known WHERE ${where}'),
    tests: ['test/ledger/shared-rows.test.ts'],
  },
  {
    name: 'correction-overwrites-doubt',
    breaks: 'a correction that was staged before a decision was undone takes the place of a document in doubt',
    edits: one(
      'src/ledger/records/moved-rows.ts',
      'return isReplaceable(now as State',
      'return true || isReplaceable(now as State',
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'moved-ledger-sends',
    breaks: 'a ledger that another one continues sends what that one has sent',
    edits: one('src/ledger/installation/send-guard.ts', '  if (moving) return moving;\n', ''),
    tests: ['test/ledger/postgres/move.test.ts'],
  },
  {
    name: 'moved-copy-not-compared',
    breaks: 'a ledger is moved to a server that has lost rows of it',
    edits: one(
      'src/ledger/engine/copy-tables.ts',
      'if ((await hashOf(to, table)) === hashes.get(table.name)) continue;',
      'if (hashes.has(table.name)) continue;',
    ),
    tests: ['test/ledger/postgres/move.test.ts'],
  },
  {
    name: 'opened-before-marked',
    breaks: 'a copy of a ledger counts while its source may still send',
    edits: one('src/ledger/moving/move-ledger.ts', 'await writeMetaValues(sql, arriving);', 'void arriving;'),
    tests: ['test/ledger/postgres/move.test.ts'],
  },
  {
    name: 'server-next-to-a-file',
    breaks: 'settings that name a server start an empty ledger next to the one in use',
    edits: one(
      'src/ledger/choose-engine.ts',
      '  if (existsSync(state.ledger)) await refuseNotMoved(sqlite, state);\n',
      '',
    ),
    tests: ['test/ledger/postgres/other-ledgers.test.ts'],
  },
  {
    name: 'postgres-taken-over-unseen',
    breaks: 'a program that lost its lock goes on writing next to its successor',
    edits: one('src/ledger/engine/postgres-engine.ts', 'SELECT 1 / COUNT(*) AS counted', 'SELECT COUNT(*) AS counted'),
    tests: ['test/ledger/postgres/lost-ledger.test.ts'],
  },
  {
    name: 'ledger-made-anew',
    breaks: 'where the ledger was lost a new, empty one sends everything once more',
    edits: one(
      'src/ledger/open-ledger.ts',
      '  if (existsSync(state.folder)) engine.refusePlace();\n',
      '  if (!(await engine.exists())) {\n    (await import("node:fs")).rmSync(state.folder, { recursive: true, force: true });\n    await initLedger(options);\n  }\n',
    ),
    tests: ['test/ledger/guard.test.ts'],
  },
  {
    name: 'release-ignored',
    breaks: 'what a person has let go is held again each time it is read',
    edits: one(
      'src/ledger/intake/staging.ts',
      "placed.state === 'ready' && placed.released !== item.digest ?",
      "placed.state === 'ready' ?",
    ),
    tests: ['test/pipeline/admission/hold-rules.test.ts'],
  },
  {
    name: 'commits-not-flushed',
    breaks: 'after a power cut the ledger has forgotten what was sent',
    edits: one('src/ledger/engine/ledger-driver.ts', '      await datasync(handle);\n', ''),
    ...POWER,
  },
  {
    name: 'folders-not-flushed',
    breaks: 'after a power cut an export or a receipt is gone, or two of it are there',
    edits: one(
      'src/files/fsync-directory.ts',
      "if (process.platform === 'win32') return;",
      "if (process.platform !== 'aix') return;",
    ),
    ...POWER,
  },
  {
    name: 'receipts-not-flushed',
    breaks: 'after a power cut a receipt is an empty file',
    edits: one('src/files/write-durable.ts', '      await file.sync();\n', ''),
    ...POWER,
  },
  {
    name: 'many-receipts-not-flushed',
    breaks: 'after a power cut receipts of a large night are empty files',
    edits: one('src/receipts/write-batch.ts', 'written.map(flush)', 'written.map(() => undefined)'),
    tests: ['test/receipts/many.test.ts'],
    traced: true,
  },
  {
    name: 'copies-not-flushed',
    breaks: 'after a power cut the only copy of an export is cut short',
    edits: one('src/inbox/private-copy.ts', '  await flush(copy);\n', ''),
    ...POWER,
  },
  {
    name: 'no-way-back',
    breaks: 'an export that could not be copied is no longer in the inbox',
    edits: one('src/inbox/claim-candidates.ts', '    if (isErrno(error)) await releaseClaim(one, takenAs);\n', ''),
    tests: ['test/faults/disk.test.ts', 'test/inbox/claim.test.ts'],
  },
  {
    name: 'receipts-failure-unheard',
    breaks: 'watch goes on for days while no receipt can be written',
    edits: one('src/pipeline/publishing/publish-results.ts', '    failed(error);\n', ''),
    tests: ['test/runs/watch.test.ts'],
  },
  {
    name: 'due-by-the-clock',
    breaks: 'documents wait a day because the clock was set back',
    edits: one(
      'src/ledger/records/finish-staging.ts',
      "nowMs, state === 'ready' ? 0 : null,",
      "nowMs, state === 'ready' ? nowMs : null,",
    ),
    tests: ['test/faults/surroundings.test.ts'],
  },
  {
    name: 'put-back-not-flushed',
    breaks: 'after a power cut an export that went back into the inbox is nowhere',
    edits: one('src/inbox/return-to-inbox.ts', '  await syncFolder(folder);\n', ''),
    tests: ['test/rigs/disk.test.ts'],
    traced: true,
  },
  {
    name: 'run-folder-not-flushed',
    breaks: 'after a power cut an export is in neither the inbox nor processing',
    edits: one(
      'src/inbox/claim-candidates.ts',
      'if (await createRunFolder(folder)) await syncFolder(options.processing);',
      'await isNew(folder);',
    ),
    tests: ['test/rigs/disk.test.ts'],
    traced: true,
  },
  {
    name: 'removal-not-flushed',
    breaks: 'after a power cut an export that is in the archive is taken once more',
    edits: one('src/inbox/claim-candidates.ts', '  for (const place of places) await syncFolder(place);\n', ''),
    tests: ['test/rigs/disk.test.ts'],
    traced: true,
  },
  {
    name: 'failed-copy-deleted',
    breaks: 'an export that could not be copied is deleted',
    edits: one(
      'src/inbox/claim-candidates.ts',
      'if (isErrno(error)) await releaseClaim(one, takenAs);',
      'if (isErrno(error) && takenAs) await unlink(takenAs);',
    ),
    tests: ['test/inbox/claim.test.ts'],
  },
  {
    name: 'both-claimers-win',
    breaks: 'two claimers take the same file, each of them sends it',
    edits: one('src/inbox/claim-candidates.ts', '    return isThere(to);', '    return true;'),
    tests: ['test/inbox/claim.test.ts'],
  },
  {
    name: 'cut-is-the-end',
    breaks: 'of a file that was cut inside its last row that row is sent as it is',
    edits: one('src/readers/csv/csv-reader.ts', "=== 'required' && lastByte", "=== 'never' && lastByte"),
    tests: ['test/corpora/cuts.test.ts'],
  },
  {
    name: 'values-are-tidied',
    breaks: 'a text reaches the service in other characters than the export has',
    edits: one(
      'src/mapping/expressions/columns.ts',
      "trimmed(row.cells[run.positions[index]!] ?? '')",
      "trimmed((row.cells[run.positions[index]!] ?? '').normalize('NFKC'))",
    ),
    tests: ['test/corpora/values.test.ts'],
  },
  {
    name: 'row-without-end',
    breaks: 'a file of one endless row takes all memory',
    edits: one(
      'src/readers/csv/csv-strict-parser.ts',
      'const MAX_RECORD = 1024 * 1024;',
      'const MAX_RECORD = 1024 ** 3;',
    ),
    tests: ['test/readers/csv.test.ts'],
  },
  {
    name: 'one-file-ends-the-night',
    breaks: 'a file at which the program fails keeps all others from going out, every night',
    edits: one(
      'src/pipeline/intake/ingest-file.ts',
      'async () => void (await refusingMistakes(context, file, () => ingest(context, file)))',
      '() => ingest(context, file)',
    ),
    tests: ['test/pipeline/intake/internal-errors.test.ts'],
  },
  {
    name: 'one-correction-fills-the-memory',
    breaks: 'a correction file of a few lines, whose comments name millions of rows, ends the program',
    edits: one('src/readers/correction-file/write-correction-xml.ts', 'Number(to) - Number(from) >= most', 'false'),
    tests: ['test/pipeline/reprocessing/corrections-xml.test.ts'],
  },
  {
    name: 'any-size',
    breaks: 'a file of any size is copied and read',
    edits: one('src/inbox/plain-file.ts', 'if (stats.size > maxBytes)', 'if (stats.size > maxBytes * 1024)'),
    tests: ['test/inbox/scan.test.ts', 'test/corpora/nights.test.ts'],
  },
  {
    name: 'secrets-in-another-dress',
    breaks: 'a secret in Base64 or percent signs stands in a log',
    edits: one(
      'src/instance/secrets.ts',
      '  return [...new Set([...forms, ...once, ...once.map(escapeJson)])]',
      '  return [value]',
    ),
    tests: ['test/security/secrets.test.ts'],
  },
  {
    name: 'receipts-for-everyone',
    breaks: 'every user of the machine may read the receipts',
    edits: [
      { file: 'src/cli/main.ts', from: 'process.umask(0o077);', to: '' },
      {
        file: 'src/files/write-durable.ts',
        from: "await open(temporary, 'wx', 0o600);",
        to: "await open(temporary, 'wx', 0o666);",
      },
    ],
    tests: ['test/security/private-files.test.ts'],
  },
  {
    name: 'names-lead-out',
    breaks: 'a document number writes a receipt outside of its folder',
    edits: one('src/text/receipt-file-name.ts', '._\\-+', '._\\/\\-+'),
    tests: ['test/corpora/nights.test.ts'],
  },
  {
    name: 'asks-all-the-time',
    breaks: 'the service is asked every minute what became of each document',
    edits: one(
      'src/delivery/consultation-schedule.ts',
      '[15 * MINUTE, 45 * MINUTE, 3 * HOUR, 8 * HOUR]',
      '[MINUTE, MINUTE, MINUTE, MINUTE]',
    ),
    tests: ['test/pipeline/submission/consultation-rate.test.ts'],
  },
  {
    name: 'init-overwrites',
    breaks: 'init replaces the mappings that a person has written',
    edits: one(
      'src/cli/commands/setup/init-command.ts',
      'recursive: true, force: false',
      'recursive: true, force: true',
    ),
    tests: ['test/cli/init.test.ts'],
  },
  {
    name: 'secret-for-everyone',
    breaks: 'a secret is written into a folder that every user may read',
    edits: one('src/instance/secret-settings.ts', '(mode & 0o006) !== 0', '(mode & 0o000) !== 0'),
    tests: ['test/cli/secret.test.ts'],
  },
  {
    name: 'secret-on-the-screen',
    breaks: 'a secret that is typed is shown on the terminal',
    edits: one('src/cli/session/questions.ts', 'stdin.setRawMode(true);', 'stdin.setRawMode(false);'),
    tests: ['test/cli/secret.test.ts'],
  },
  {
    name: 'every-ledger-unused',
    breaks: 'a ledger that sent documents to one service goes on with another one, which gets them again',
    edits: one(
      'src/ledger/ledger-facts.ts',
      "if ((await any('attempt')) || (await any('entry WHERE submits > 0'))) return 'sent';",
      "if ((await any('attempt')) && (await any('entry WHERE submits < 0'))) return 'sent';",
    ),
    tests: ['test/ledger/guard.test.ts'],
  },
  {
    name: 'rebuilt-is-unused',
    breaks: 'a ledger that lost its receipts is taken for one that never sent anything',
    edits: one(
      'src/ledger/ledger-facts.ts',
      "if (meta.has('learned') || meta.has('rebuilt')) return 'sent';",
      "if (meta.has('nothing')) return 'sent';",
    ),
    tests: ['test/ledger/guard.test.ts'],
  },
  {
    name: 'owner-is-nobody',
    breaks: 'the service of systemd loses the name of the person who decided',
    edits: one('deploy/nightpost.service', 'PrivateDevices=yes', 'PrivateDevices=yes\nPrivateUsers=yes'),
    tests: ['test/authoring/schedule.test.ts'],
  },
  {
    name: 'date-of-the-machine',
    breaks: 'an export that is read again tomorrow gives other documents',
    edits: one(
      'src/pipeline/admission/admit-file.ts',
      'context.instance.dayOf(kind.service, new Date(file.claimedAt))',
      'context.instance.dayOf(kind.service, new Date())',
    ),
    tests: ['test/verify/verify.test.ts'],
  },
  {
    name: 'number-twice-goes-out',
    breaks: 'rows of a document that spell its number in another way are left behind',
    edits: one('src/ledger/intake/decide-outcome.ts', 'one.inThisFile && wouldBeSent(one)', 'false'),
    tests: ['test/pipeline/admission/number-twice.test.ts'],
  },
  {
    name: 'number-twice-forgotten',
    breaks: 'the same, once somebody reads the document again',
    edits: one(
      'src/ledger/intake/number-twice.ts',
      "left.length > 0 || (hold === 'number-twice' && absorbed.length === 0)",
      'false',
    ),
    tests: ['test/pipeline/admission/number-twice.test.ts'],
  },
  {
    name: 'moved-rows-count-apart',
    breaks:
      'a row is sent twice: in the document that a person has corrected it into, and in the one that was released meanwhile',
    edits: one(
      'src/ledger/records/finish-staging.ts',
      "typeof rereads === 'string' ?",
      "typeof rereads === 'number' ?",
    ),
    tests: ['test/pipeline/reprocessing/moved-rows.test.ts'],
  },
  {
    name: 'moved-rows-of-others',
    breaks: 'the same, where the document was released before it was staged',
    edits: one('src/ledger/records/moved-rows.ts', 'if (rows.size === 0) return', 'if (rows.size >= 0) return'),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'moved-rows-not-held',
    breaks: 'rows that may have been sent go out in another document, once a person has corrected their number',
    edits: one(
      'src/ledger/records/moved-rows.ts',
      '    hold: formerHold(row) ?? unknownHold(context, row),',
      '    hold: undefined,',
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'moved-rows-not-known',
    breaks: 'rows of a document, of which a rebuilt ledger does not know all that was sent, go out in another one',
    edits: one(
      'src/ledger/records/moved-rows.ts',
      '    hold: formerHold(row) ?? unknownHold(context, row),',
      '    hold: formerHold(row),',
    ),
    tests: ['test/pipeline/reprocessing/moved-rows.test.ts'],
  },
  {
    name: 'moved-rows-exported',
    breaks: 'rows go out once more in the export that came after the document with these rows was rejected',
    edits: one('src/ledger/records/shared-rows.ts', 'own.findLast((one) => one.source === source)', 'own.at(-1)'),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'moved-rows-unseen',
    breaks: 'a person who did not know that its rows are out sends a document again',
    edits: one(
      'src/ledger/submission/resolutions.ts',
      "if (evidence.as === 'ready') await holdShared(sql, context, id, { at });",
      '',
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'moved-rows-answered',
    breaks:
      'rows go out once more although the service has answered that it has the document from which they were split',
    edits: one(
      'src/ledger/submission/attempt-effect.ts',
      'if (isThere) await holdTakers',
      'if (isSettled) await holdTakers',
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'number-spelling-goes-out',
    breaks: 'a number that went out goes out again in small letters',
    edits: one('src/ledger/intake/number-spelling.ts', 'const folded = foldKey(key);', 'const folded = key;'),
    tests: ['test/pipeline/admission/number-spelling.test.ts'],
  },
  {
    name: 'zeros-go-out',
    breaks: 'an invoice goes out again under its number without the zeros that a spreadsheet has taken off',
    edits: one('src/database/folded-key.ts', '\\|))|(?<=[A-Z])', '\\|))x|(?<=[A-Z])'),
    tests: ['test/pipeline/admission/number-spelling.test.ts'],
  },
  {
    name: 'earlier-spellings-unknown',
    breaks: 'after an upgrade, a number that went out before goes out again without its zeros',
    edits: one('src/database/upgrade-keys.ts', '  yield* foldKeys();\n', ''),
    tests: ['test/database/folded-key.test.ts'],
  },
  {
    name: 'number-spelling-forgotten',
    breaks: 'the same, once the document is read again',
    edits: one('src/ledger/intake/staging-revision.ts', 'const hold = spelling ?', 'const hold = false && spelling ?'),
    tests: ['test/pipeline/admission/number-spelling.test.ts'],
  },
  {
    name: 'identities-not-proven',
    breaks: 'an identity that has changed on the disk hides a document that was sent',
    edits: one(
      'src/database/identity-index.ts',
      "if (typeof text !== 'string' || crc32(text) !== proof) return",
      "if (typeof text !== 'string') return",
    ),
    tests: ['test/ledger/flipped-bits.test.ts'],
  },
  {
    name: 'identity-index-not-compared',
    breaks: 'an index that has changed on the disk hides a document that was sent',
    edits: one(
      'src/database/identity-index.ts',
      'return inRows.total() === inIndex.total()',
      "return inRows.total() !== ''",
    ),
    tests: ['test/ledger/flipped-bits.test.ts'],
  },
  {
    name: 'identity-found-not-proven',
    breaks: 'an identity of another document is believed while the program is at work',
    edits: one(
      'src/database/identity-index.ts',
      'if (entry !== null && identityChecksum({ key, entry: owner as string, file: file as string }) === proof) return;',
      'if (entry !== null) return;',
    ),
    tests: ['test/ledger/flipped-bits.test.ts'],
  },
  {
    name: 'content-not-proven',
    breaks: 'a document goes out with other content than was admitted',
    edits: one(
      'src/ledger/submission/submissions.ts',
      'if (sha256Hex(content) === contentSha256) return;',
      'if (content) return;',
    ),
    tests: ['test/ledger/flipped-bits.test.ts'],
  },
  {
    name: 'begun-without-identity',
    breaks: 'a document goes out that no one would find again by its number',
    edits: one(
      'src/ledger/submission/submissions.ts',
      'AND (SELECT i.entry FROM identity i WHERE i.key = ?) = e.id',
      'AND ? IS NOT NULL',
    ),
    tests: ['test/ledger/flipped-bits.test.ts'],
  },
  {
    name: 'begun-while-replaced',
    breaks: 'a document goes out, and its correction behind it',
    edits: one(
      'src/ledger/submission/submissions.ts',
      'NOT EXISTS (SELECT 1 FROM staged s WHERE s.entry = e.id)',
      '1 = 1',
    ),
    tests: ['test/ledger/sqlite.test.ts'],
  },
  {
    name: 'witness-outside-unread',
    breaks: 'a state folder that was put back sends what was sent since',
    edits: one('src/ledger/installation/send-guard.ts', '    ...externalWitnesses.map((one) => one.generation),\n', ''),
    tests: ['test/maintenance/restored-state.test.ts'],
  },
  {
    name: 'witness-outside-unwritten',
    breaks: 'the same: the witness outside does not follow',
    edits: one(
      'src/ledger/engine/ledger-driver.ts',
      'for (const { recordGeneration } of witnesses) recordGeneration(count);',
      'witnesses[0]!.recordGeneration(count);',
    ),
    tests: ['test/ledger/guard.test.ts'],
  },
  {
    name: 'witness-elsewhere-lost',
    breaks: 'without its witness on another machine a ledger from a snapshot sends',
    edits: one('src/ledger/installation/send-guard.ts', 'if (facts.missingWitness !== undefined) {', 'if (false) {'),
    tests: ['test/maintenance/restored-state.test.ts'],
  },
  {
    name: 'old-file-under-its-log',
    breaks: 'an older ledger next to the log of a newer one sends',
    edits: one(
      'src/ledger/installation/send-guard.ts',
      'if (facts.stamp.known > facts.stamp.inFile) {',
      'if (false) {',
    ),
    tests: ['test/maintenance/restored-state.test.ts'],
  },
  {
    name: 'strangers-unseen',
    breaks: 'a ledger sends that does not know its own receipts',
    edits: one('src/ledger/installation/send-guard.ts', 'if (facts.unknownOutput !== undefined) {', 'if (false) {'),
    tests: ['test/maintenance/restored-state.test.ts'],
  },
  {
    name: 'lost-submissions-unseen',
    breaks: 'a ledger sends that knows fewer submissions of a document than its receipt',
    edits: one('src/ledger/installation/unknown-outputs.ts', ' && Number(recorded.submits) >= submits', ''),
    tests: ['test/maintenance/restored-state.test.ts'],
  },
  {
    name: 'unknown-exports-unseen',
    breaks: 'a ledger sends that does not know an archived export',
    edits: one('src/ledger/installation/unknown-outputs.ts', 'modifiedMs <= learnedMs', 'modifiedMs > 0'),
    tests: ['test/maintenance/restored-state.test.ts'],
  },
  {
    name: 'same-bytes-side-by-side',
    breaks: 'the same export twice in one group of small files is taken in twice',
    edits: one(
      'src/pipeline/intake/ingest-small-files.ts',
      'group.length === TOGETHER || shas.has(file.sha256)',
      'group.length === TOGETHER',
    ),
    tests: ['test/pipeline/intake/ingest-small-files.test.ts'],
  },
  {
    name: 'known-before-the-group',
    breaks: 'a new issuer goes out unseen among many small files',
    edits: one('src/ledger/intake/seen-index.ts', 'for (const question of unknown) answers.delete(question);', ''),
    tests: ['test/pipeline/intake/ingest-small-files.test.ts'],
  },
  {
    name: 'suspects-read-together',
    breaks: 'files that were read beside a deadly one are set aside with it',
    edits: one(
      'src/pipeline/intake/ingest-all.ts',
      'loading.filter(({ id }) => context.readingMarks.deathsOf(id) === 0)',
      'loading.filter(({ id }) => context.readingMarks.deathsOf(id) >= 0)',
    ),
    tests: ['test/pipeline/intake/files-that-end-the-program.test.ts'],
  },
  {
    name: 'deaths-not-counted',
    breaks: 'a file that ends the program ends it every night',
    edits: one(
      'src/pipeline/context/reading-marks.ts',
      'counts.set(file, (counts.get(file) ?? 0) + 1)',
      'counts.set(file, 1)',
    ),
    tests: ['test/pipeline/intake/files-that-end-the-program.test.ts'],
  },
  {
    name: 'orderly-end-counts',
    breaks: 'a file is set aside for the program was asked to end while it was read',
    edits: one('src/pipeline/context/reading-marks.ts', '    reading.clear();\n', ''),
    tests: ['test/pipeline/intake/files-that-end-the-program.test.ts'],
  },
  {
    name: 'unknown-part-is-another',
    breaks: 'a document goes out without a row whose key is incomplete',
    edits: one('src/mapping/compose/unplaced-rows.ts', "part === '' || part === key[at]", 'part === key[at]'),
    tests: ['test/mapping/group.test.ts', 'test/pipeline/conversion/every-row.test.ts'],
  },
  {
    name: 'one-unplaced-row-is-all',
    breaks: 'the same, where rows are incomplete in two ways',
    edits: one(
      'src/mapping/compose/unplaced-rows.ts',
      'return [...groups.values()].flatMap(({ at, first }) => first.get',
      'return [...groups.values()].slice(0, 1).flatMap(({ at, first }) => first.get',
    ),
    tests: ['test/mapping/group.test.ts', 'test/pipeline/conversion/every-row.test.ts'],
  },
  {
    name: 'moved-cells-read',
    breaks:
      'a separator typed into a correction file moves the amounts of an invoice to other columns, and it is sent so',
    edits: one('src/readers/correction-file/read-correction-csv.ts', 'certain: shift === 0 ? certain : 0,', 'certain,'),
    tests: ['test/pipeline/reprocessing/moved-cells.test.ts'],
  },
  {
    name: 'keep-over-one-row',
    breaks: 'a sum in keep sees one row alone, and an invoice goes out without its other lines',
    edits: one('src/mapping/compile-mapping.ts', '  refuseOverRows(documents, controls, findings);\n', ''),
    tests: ['test/mapping/before-document.test.ts'],
  },
  {
    name: 'key-by-raw-cell',
    breaks: 'rows of one invoice whose key is written in two ways are two documents, and half of the invoice is sent',
    edits: one('src/mapping/bind.ts', 'columns.convertOf(name) ? undefined : ', ''),
    tests: ['test/mapping/key-cells.test.ts'],
  },
  {
    name: 'refused-rows-unplaced',
    breaks: 'a document goes out without a row that was refused, in a sorted file',
    edits: one(
      'src/mapping/compose/group-rows.ts',
      'if (row && rows.has(key)) late.push(',
      'if (false && row) late.push(',
    ),
    tests: ['test/mapping/group.test.ts', 'test/pipeline/conversion/rows-anywhere.test.ts'],
  },
  {
    name: 'document-without-bound',
    breaks: 'a document of a million rows ends the program',
    edits: one(
      'src/mapping/compose/group-rows.ts',
      'if (open.rows.length <= rows && open.characters <= characters && !row.cut) return;',
      'if (open.rows.length > 0) return;',
    ),
    tests: ['test/mapping/group.test.ts'],
  },
  {
    name: 'large-document-issued',
    breaks: 'of a document that is too large the first row goes out alone',
    edits: one('src/mapping/compose/group-rows.ts', 'faults: [large, ...faults] }', 'faults }'),
    tests: ['test/mapping/group.test.ts'],
  },
  {
    name: 'renewed-for-ever',
    breaks: 'a service that accepts no token is given the document again and again',
    edits: one(
      'src/delivery/response-policy.ts',
      'if (resendOn401 && !ours.tokenRenewed) return',
      'if (resendOn401) return',
    ),
    tests: ['test/delivery/policy.test.ts'],
  },
  {
    name: 'workbook-checksum',
    breaks: 'a digit that changed on the way from the ERP is sent as an amount',
    edits: one('src/readers/xlsx/xlsx-archive.ts', 'if (sum !== entry.crc32) throw', 'if (sum < 0) throw'),
    tests: ['test/readers/xlsx/xlsx-damage.test.ts'],
  },
  {
    name: 'workbook-uncalculated',
    breaks: 'an amount of a formula that nothing has calculated is sent as 0',
    edits: one('src/readers/xlsx/xlsx-cell.ts', '(workbook.isUncalculated || lacksValue(cell))', 'lacksValue(cell)'),
    tests: ['test/readers/xlsx/xlsx.test.ts'],
  },
  {
    name: 'workbook-filled-error',
    breaks: 'rows below an invoice number that is an error value are sent under that number',
    edits: one(
      'src/readers/xlsx/xlsx-rows.ts',
      '(cell.startsWith(MARK) ? [at] : [])',
      '(cell.startsWith(MARK) && cell.includes(row.row + MARK) ? [at] : [])',
    ),
    tests: ['test/readers/xlsx/xlsx.test.ts'],
  },
  {
    name: 'workbook-digits',
    breaks: 'an identifier of more than 15 digits is sent with its last ones lost',
    edits: one('src/readers/xlsx/xlsx-cell-value.ts', 'if (point > DIGITS) return', 'if (point > 400) return'),
    tests: ['test/readers/xlsx/xlsx.test.ts'],
  },
  {
    name: 'workbook-correction-of-one-cell',
    breaks: 'a row of two unreadable cells is sent after a person has corrected one of them',
    edits: one('src/pipeline/reprocessing/apply-corrections.ts', '!corrected.has(column)', 'corrected.size === 0'),
    tests: ['test/pipeline/intake/workbooks.test.ts'],
  },
  {
    name: 'second-correction-lost',
    breaks: 'of two persons who correct the same document, the second one never hears that the other value was sent',
    edits: one(
      'src/pipeline/reprocessing/late-corrections.ts',
      'doc.ignored = changes.filter(',
      'doc.ignored = [].filter(',
    ),
    tests: ['test/pipeline/reprocessing/late-corrections.test.ts'],
  },
  {
    name: 'correction-file-as-export',
    breaks: 'a correction file that lost its columns _doc and _row is read as an export',
    edits: one(
      'src/readers/correction-file/recognize-correction-file.ts',
      'const OWN_NAME = /\\.to-fix\\b/i;',
      'const OWN_NAME = /^$/;',
    ),
    tests: ['test/pipeline/reprocessing/given-back.test.ts'],
  },
  {
    name: 'changed-meanwhile-overwritten',
    breaks: 'of two persons who correct the same documents, the second one overwrites the first without a word',
    edits: one(
      'src/decisions/fix-documents.ts',
      'if (isAsPlanned(now, one) && !isRead(context, now)) open.push(one);',
      'if (isCorrectable(now)) open.push({ ...one, entry: now });',
    ),
    tests: ['test/cli/bulk-fix.test.ts'],
  },
  {
    name: 'other-values-corrected-too',
    breaks: 'a correction of many documents replaces cells that had another value',
    edits: one(
      'src/decisions/plan-fix.ts',
      'return exactly ? cell === text : cell.trim() === text.trim();',
      'return exactly || cell.trim() === text.trim();',
    ),
    tests: ['test/cli/bulk-fix.test.ts'],
  },
  {
    name: 'purged-names-stay-searchable',
    breaks: 'an index from before a purge still answers with the names of purged documents',
    edits: one(
      'src/search/ledger-source.ts',
      "((what = 'purged' AND entry IS NOT NULL) OR what LIKE 'ledger-%')",
      "(what LIKE 'ledger-%')",
    ),
    tests: ['test/search/search-index.test.ts'],
  },
  {
    name: 'open-index-keeps-purged-names',
    breaks: 'a console that was open during a purge still finds the names of purged documents',
    edits: one('src/search/search-index.ts', 'if (!index.isCurrent())', 'if (false)'),
    tests: ['test/search/search-index.test.ts'],
  },
  {
    name: 'purge-keeps-the-index',
    breaks: 'the names of purged documents stay in the search index until the next search',
    edits: [
      {
        file: 'src/maintenance/purge-instance.ts',
        from: '  removeSearchIndex(ledgerSiteOf(context.instance));\n  try {',
        to: '  try {',
      },
      {
        file: 'src/maintenance/purge-instance.ts',
        from: '  } finally {\n    removeSearchIndex(ledgerSiteOf(context.instance));\n  }',
        to: '  } finally {\n  }',
      },
    ],
    tests: ['test/search/search-index.test.ts'],
  },
  {
    name: 'source-number-decides-too',
    breaks: 'a decision about an official number also concerns another document that the ERP calls so',
    edits: one(
      'src/ledger/records/selector.ts',
      '  if (rows.length === 0) return await selectIds',
      '  if (name) return await selectIds',
    ),
    tests: ['test/cli/find.test.ts'],
  },
  {
    name: 'undo-at-any-time',
    breaks: 'a decision is taken back after the document was sent: it looks held, and is released and sent once more',
    edits: one(
      'src/ledger/submission/resolutions.ts',
      "if (!isUnchanged(now, before) || !isLatest || stateOf(now) !== (isClosing ? before.state : as)) return 'moved-on';",
      '',
    ),
    tests: ['test/decisions/undo.test.ts'],
  },
  {
    name: 'authorized-on-a-word',
    breaks: 'a document whose outcome is unknown is recorded as authorized without a proof',
    edits: one(
      'src/decisions/judge-decision.ts',
      "if (act === 'resolve' && as === 'authorized' && !hasEvidence && !wasFoundAuthorized(entry)) {",
      'if (false) {',
    ),
    tests: ['test/decisions/undo.test.ts'],
  },
  {
    name: 'nameless-decision',
    breaks: 'a moved receipt decides in the name of the program where the settings require the name of a person',
    edits: one(
      'src/pipeline/reprocessing/folder-decisions.ts',
      "return instance.settings.decisions['require-name'] && uid === process.geteuid?.();",
      'return false;',
    ),
    tests: ['test/security/shared-folders.test.ts'],
  },
  {
    name: 'payload-for-the-group',
    breaks: 'members of the group read the content of every document',
    edits: one('src/files/shared-folder.ts', "path.endsWith('.payload.json') || ", ''),
    tests: ['test/security/shared-folders.test.ts'],
  },
  {
    name: 'forged-act',
    breaks: 'a page of another site acts in the console with the session of a person',
    edits: one('src/console/server/request-guard.ts', "site === 'same-origin' && (", '('),
    tests: ['test/console/serve.test.ts'],
  },
  {
    name: 'any-host',
    breaks: 'a name of the attacker that leads to this machine opens the console',
    edits: one('src/console/server/request-guard.ts', 'hosts.has(host.toLowerCase()) ? undefined : 421', 'undefined'),
    tests: ['test/console/serve.test.ts'],
  },
  {
    name: 'sent-over-another',
    breaks: 'a file that a person sends through the console replaces an export that waits in the inbox',
    edits: one('src/files/create-empty.ts', 'constants.O_CREAT | constants.O_EXCL', 'constants.O_CREAT'),
    tests: ['test/console/files.test.ts'],
  },
  {
    name: 'sent-without-token',
    breaks: 'a form of another session puts a file into the inbox',
    edits: one('src/console/screens/files/file-acts.ts', '  requireCsrf(fields, context.csrf);\n', ''),
    tests: ['test/console/files.test.ts'],
  },
  {
    name: 'summary-believed',
    breaks: 'an account of rows that someone changed in the outbox is shown as that of the ledger',
    edits: one(
      'src/views/queries/file-accounts.ts',
      'begin.sha256 !== undefined && (await ledger.receipts.linkAt(summary.link))?.sha256 !== begin.sha256',
      'false',
    ),
    tests: ['test/console/files.test.ts'],
  },
  {
    name: 'form-of-another-session',
    breaks: 'a form with the value of another session is carried out',
    edits: one('src/console/server/sign-in.ts', 'isEqual(given, csrf)) return;', 'given) return;'),
    tests: ['test/console/serve.test.ts'],
  },
  {
    name: 'role-outlived',
    breaks: 'a session keeps its rights after the role of its person is changed',
    edits: one(
      'src/console/people/people.ts',
      "role = ? WHERE id = ?').run(role, person.id);\n      endSessions(person.id);",
      "role = ? WHERE id = ?').run(role, person.id);",
    ),
    tests: ['test/console/serve.test.ts'],
  },
  {
    name: 'proxy-without-secret',
    breaks: 'a browser that reaches the port names itself administrator in a header',
    edits: one('src/console/server/proxy-person.ts', ' || !isEqual(given, secret)', ''),
    tests: ['test/console/access.test.ts'],
  },
  {
    name: 'result-before-effect',
    breaks: 'a decision that a crash cuts off is answered as done, and never happens',
    edits: one(
      'src/decisions/requests/answer-request.ts',
      '  const answer = await tried(context, request, act);',
      "  await context.ledger.steps.finishRequest(request.id, writeAnswer({ result: { act: 'waive', done: true } }));\n  const answer = await tried(context, request, act);",
    ),
    tests: ['test/decisions/requests/requests-cut.test.ts'],
  },
  {
    name: 'request-done-twice',
    breaks: 'a decision that a crash cut off is made a second time: a document is sent once more',
    edits: one('src/ledger/act-steps.ts', "if (made) return JSON.parse(text(made, 'result')) as T;", ''),
    tests: ['test/decisions/requests/requests-cut.test.ts'],
  },
  {
    name: 'night-lost-to-an-act',
    breaks: 'a run that begins while a person decides ends with 6, and the scheduler does nothing',
    edits: one('src/runs/open-run.ts', 'act: WAIT_FOR_ACT_MS', 'act: 0'),
    tests: ['test/decisions/requests/requests.test.ts'],
  },
  {
    name: 'changed-document-decided',
    breaks: 'a decision is made about a version of a document that the person has never seen',
    edits: one(
      'src/ledger/submission/resolutions.ts',
      'if (now?.revision !== revision || now.state !== state) return false;',
      'if (now === undefined) return false;',
    ),
    tests: ['test/decisions/requests/requests.test.ts'],
  },
  {
    name: 'answers-survive-purge',
    breaks: 'cells of a document that was purged stay in the answers of acts',
    edits: one('src/maintenance/purge-instance.ts', 'new Set(forgotten)', 'new Set()'),
    tests: ['test/maintenance/purge.test.ts'],
  },
  {
    name: 'copied-under-its-name',
    breaks: 'a copy into the inbox that a stop cuts is read as an export: its last documents are missing',
    edits: one(
      'src/pipeline/sources/copy-into-inbox.ts',
      'join(folder, `.${sha256Hex(basename(place)).slice(0, 16)}${TEMPORARY}`)',
      'place',
    ),
    tests: ['test/pipeline/sources/copy-into-inbox.test.ts'],
  },
  {
    name: 'request-after-restore',
    breaks: 'a decision from before a restore is carried out weeks later, when the ledger may send again',
    edits: one('src/runs/run.ts', '  await refuseRequests(context);\n', ''),
    tests: ['test/decisions/requests/requests.test.ts'],
  },
  {
    name: 'mapping-overwritten',
    breaks: 'two people change a mapping, and the second one takes the work of the first away without a word',
    edits: one('src/authoring/save-mapping.ts', 'textHash(current) !== base', 'base === undefined'),
    tests: ['test/console/studio.test.ts'],
  },
  {
    name: 'studio-without-end',
    breaks: 'a mapping that a person is writing takes for ever, and the studio answers no one any more',
    edits: one('src/views/preview/studio-worker.ts', "resolve({ ended: 'time' })", 'undefined'),
    tests: ['test/console/studio.test.ts'],
  },
  {
    name: 'console-acts-in-quarantine',
    breaks: 'a click sends a document of a restored ledger again, before anyone has compared it with the service',
    edits: one('src/console/server/act-halt.ts', '  if (!quarantine) return undefined;\n', '  return undefined;\n'),
    tests: ['test/console/act-desk.test.ts'],
  },
  {
    name: 'fix-over-set-aside',
    breaks: 'a correction that was typed earlier sends a document that a colleague decided not to send',
    edits: one('src/decisions/fix-documents.ts', ' && isAsideAsSeen(now, { aside: wasAside })', ''),
    tests: ['test/console/act-desk.test.ts', 'test/decisions/requests/requests.test.ts'],
  },
  {
    name: 'two-people-asked-alone',
    breaks: 'a decision that was queued before the rule, or by another program, is carried out by one person',
    edits: one(
      'src/decisions/requests/judge-approval.ts',
      'return waitsFor.length > 0 ? { waitsFor } : { approved: {} };',
      'return { approved: {} };',
    ),
    tests: ['test/decisions/two-people.test.ts'],
  },
  {
    name: 'approved-by-oneself',
    breaks: 'one person approves the own decision under another spelling of the name',
    edits: one(
      'src/ledger/contract/approval.ts',
      'return other.names.some((name) => names.has(foldedName(name)));',
      'return false;',
    ),
    tests: ['test/decisions/two-people.test.ts'],
  },
  {
    name: 'two-people-past-the-folder',
    breaks: 'one person releases a large amount by moving its receipt',
    edits: one(
      'src/pipeline/reprocessing/folder-decisions.ts',
      "return isAmountAbove(facts, instance.settings.decisions['two-people'].above) ? 'two-people' : undefined;",
      'return undefined;',
    ),
    tests: ['test/decisions/two-people.test.ts'],
  },
  {
    name: 'waiting-request-begun',
    breaks: 'a decision that waits for another person is carried out by the next run',
    edits: one(
      'src/ledger/requests/queue-statements.ts',
      'AND (expires IS NULL OR verdict IS NOT NULL OR expires <= ?)',
      'AND ? IS NOT NULL',
    ),
    tests: ['test/decisions/two-people.test.ts'],
  },
  {
    name: 'purged-names-in-freed-pages',
    breaks: 'the name of a purged customer can still be read in the file of the ledger',
    edits: one(
      'src/maintenance/purge-instance.ts',
      '    if (!end.stopped) await eraseFreed(ledgerSiteOf(context.instance));\n',
      '',
    ),
    tests: ['test/maintenance/purged-name.test.ts'],
  },
  {
    name: 'change-of-a-late-transaction',
    breaks: 'the index never sees what a worker recorded that began first and committed last',
    edits: one(
      'src/database/postgres/transaction-mark.ts',
      "open: open === '' ? [] : open.split(',').map(Number)",
      'open: open.slice(0, 0).split(/./).slice(1).map(Number)',
    ),
    tests: ['test/database/postgres/transaction-mark.test.ts'],
  },
  {
    name: 'counts-of-another-ledger',
    breaks: 'after a restore the counters have answers of a ledger that is gone',
    edits: one('src/search/ledger-tally.ts', 'isOfThisLedger(db, before) ? before', 'db.isOpen ? before'),
    tests: ['test/search/ledger-tally.test.ts'],
  },
  {
    name: 'watchdog-without-progress',
    breaks: 'a watch whose loop hangs reports for ever that it works',
    edits: one('src/cli/session/service-notify.ts', ' || performance.now() - lastMs > allowedMs', ''),
    tests: ['test/cli/service-notify.test.ts'],
  },
  {
    name: 'metrics-without-token',
    breaks: 'everyone who reaches the port of the metrics reads them',
    edits: one('src/console/server/probe-listener.ts', '    if (refusal) return refusal;\n', ''),
    tests: ['test/console/probes.test.ts'],
  },
  {
    name: 'late-writer-silent',
    breaks: 'receipts that a paused worker replaced by older ones stay, and prove what is no longer so',
    edits: one(
      'src/pipeline/publishing/overwritten-receipts.ts',
      'await roles.giveUpWrites(batch).catch(() => undefined);',
      'await Promise.resolve();',
    ),
    tests: ['test/ledger/postgres/overwritten.test.ts'],
  },
  {
    name: 'two-setups-convert',
    breaks: 'two watches with different mappings convert the exports of one night, each in its way',
    edits: one('src/pipeline/context/other-setup.ts', '    return false;\n  };', '    return true;\n  };'),
    tests: ['test/ledger/postgres/other-setup.test.ts'],
  },
  {
    name: 'every-watch-notifies',
    breaks: 'people get the mails of a night from each machine',
    edits: one(
      'src/notices/run-notices.ts',
      "    if (!mayDo({ ledger }, 'receipts')) {\n      await sleep",
      '    if (stop.aborted) {\n      await sleep',
    ),
    tests: ['test/ledger/postgres/night-of-two.test.ts'],
  },
  {
    name: 'every-watch-decides',
    breaks: 'two watches carry out one decision of a person at the same time',
    edits: one('src/decisions/requests/serve-requests.ts', "    if (!mayDo(context, 'acts')) return;\n", ''),
    tests: ['test/ledger/postgres/one-at-a-time.test.ts'],
  },
  {
    name: 'every-watch-misses',
    breaks: 'people get the alarm about one missing export from each machine',
    edits: one(
      'src/runs/watch.ts',
      "if (mayDo(context, 'expected')) await reportMissingExports(context, seen);",
      'if (!context.stop.aborted) await reportMissingExports(context, seen);',
    ),
    tests: ['test/ledger/postgres/one-at-a-time.test.ts'],
  },
  {
    name: 'answers-over-foreign-file',
    breaks: 'a file of another program in the folder of the ERP is taken for an answer of ours',
    edits: one(
      'src/receipts/place-answer-file.ts',
      'if (!(await isSame(path, file.sha256))) throw foreignFile(join(folder, name));',
      '',
    ),
    tests: ['test/pipeline/answers/answers.test.ts'],
  },
  {
    name: 'answer-field-lost',
    breaks: 'a field that the ERP does not get is counted nowhere',
    edits: one('src/pipeline/answers/answer-draft.ts', "if (field === '') return;", "if (field !== '') return;"),
    tests: ['test/cli/answers.test.ts'],
  },
  {
    name: 'answers-into-empty-mount',
    breaks: 'answers go into the place of a missing share, and the ERP never gets them',
    edits: one('src/receipts/place-answer-file.ts', '    if (known) throw', '    if (known && false) throw'),
    tests: ['test/pipeline/answers/answers.test.ts'],
  },
  {
    name: 'answers-taken-with-folder',
    breaks: 'a folder that went away counts as an ERP that took its file, and the ERP never gets it',
    edits: one(
      'src/receipts/place-answer-file.ts',
      'if (!(await isThere(join(held.path, FOLDER_MARK)))) throw markIsGone(folder);',
      '',
    ),
    tests: ['test/pipeline/answers/answers.test.ts'],
  },
  {
    name: 'answers-of-renamed-block',
    breaks: 'what was due under the former name of a block is never reported',
    edits: one('src/pipeline/answers/report-answers.ts', '    await moveDue(context);', ''),
    tests: ['test/pipeline/answers/answers.test.ts'],
  },
  {
    name: 'bench-over-refused',
    breaks: 'a bench shows how fast documents are refused, and a slower program passes for a faster one',
    edits: one('bench/accepted.ts', 'if (actual !== count) throw', 'if (actual === undefined) throw'),
    tests: ['test/bench/accepted.test.ts'],
  },
];
