/**
 * Below inbox, error, pending, reports and folders of answers there is one way to open, make, rename and remove: src/files/guarded-place.ts,
 * and what stands on it. A file that imports such a function from Node is listed here with the reason for which it may.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from '../../build/figures/source-files.ts';

const root = join(import.meta.dirname, '../..');
/** Stages that know these folders. */
const STAGES = [
  ...['decisions/', 'doctor/', 'inbox/', 'instance/', 'maintenance/', 'notices/', 'pipeline/', 'receipts/', 'runs/'],
  ...['verify/', 'views/'],
];
const ACTS =
  /^(open|opendir|readdir|readFile|writeFile|appendFile|createReadStream|createWriteStream|rename|unlink|rm|rmdir|mkdir|link|symlink|copyFile|cp|chmod|l?chown|utimes|truncate)(Sync)?$/;

const GUARDED = 'through guarded-place.ts';
const FLAT = 'names directly in inbox/, pending/ or a folder of answers, without following links';
const PRIVATE = 'state, processing, archive, logs or mappings: folders of the program alone';
const NAMED = 'a file that a person or the settings name';
const PROBE = 'makes and removes its own new file directly in the folder';
const LISTS = 'lists names, and acts on none of them';

const MAY: { readonly [path: string]: string } = {
  'inbox/moved-receipts.ts': GUARDED,
  'instance/share-folders.ts': GUARDED,
  'maintenance/empty-days.ts': GUARDED,
  'receipts/newest-files.ts': GUARDED,
  'receipts/output-folders.ts': GUARDED,
  'receipts/place-answer-file.ts': GUARDED,
  'receipts/remove-temporary-files.ts': GUARDED,
  'receipts/write-batch.ts': GUARDED,
  'inbox/claim-candidates.ts': FLAT,
  'inbox/inbox-away.ts': FLAT,
  'inbox/recover-claims.ts': FLAT,
  'inbox/return-to-inbox.ts': FLAT,
  'inbox/scan-inbox.ts': FLAT,
  'pipeline/intake/receive-upload.ts': FLAT,
  'pipeline/intake/take-control-files.ts': FLAT,
  'maintenance/old-answers.ts': FLAT,
  'pipeline/sources/copy-into-inbox.ts': FLAT,
  'pipeline/sources/move-attachments.ts': FLAT,
  'pipeline/sources/open-attachments.ts': FLAT,
  'receipts/spill-buffer.ts': FLAT,
  'pipeline/intake/ingest-file-pair.ts': LISTS,
  'maintenance/restore-answers.ts': LISTS,
  'maintenance/restore-reports.ts': LISTS,
  'pipeline/sources/file-pairs.ts': LISTS,
  'verify/verify-folders.ts': LISTS,
  'verify/verify-reports.ts': LISTS,
  'doctor/doctor-services.ts': NAMED,
  'instance/foreign-writers.ts': LISTS,
  'instance/inbox-files.ts': LISTS,
  'instance/instance.ts': NAMED,
  'notices/channel-authority.ts': NAMED,
  'runs/textfile.ts': NAMED,
  'runs/open-run.ts': NAMED,
  'views/preview/diff-archive.ts': NAMED,
  'views/preview/preview-files.ts': NAMED,
  'views/preview/sample-answers.ts': NAMED,
  'pipeline/sources/file-owner.ts': NAMED,
  'doctor/doctor-answers.ts': PROBE,
  'doctor/doctor-folders.ts': PROBE,
  'doctor/doctor-metrics.ts': PROBE,
  'doctor/doctor-mount.ts': PROBE,
  'doctor/doctor-console.ts': PRIVATE,
  'instance/ledger-site-of.ts': PRIVATE,
  'instance/mapping-files.ts': PRIVATE,
  'instance/secret-settings.ts': PRIVATE,
  'pipeline/admission/admit-file.ts': PRIVATE,
  'pipeline/answers/answer-draft.ts': PRIVATE,
  'pipeline/answers/answer-folders.ts': PRIVATE,
  'pipeline/context/reading-marks.ts': PRIVATE,
  'pipeline/context/worker-folders.ts': PRIVATE,
  'pipeline/intake/claim-inbox-files.ts': PRIVATE,
  'pipeline/intake/ingest-small-files.ts': PRIVATE,
  'maintenance/purge-instance.ts': PRIVATE,
  'maintenance/shown-numbers.ts': PRIVATE,
  'maintenance/restore-instance.ts': PRIVATE,
  'maintenance/unread-exports.ts': PRIVATE,
  'views/metrics/read-metrics.ts': PRIVATE,
  'views/metrics/carried-sums.ts': PRIVATE,
  'pipeline/publishing/correction-files.ts': PRIVATE,
  'views/queries/fault-bytes.ts': PRIVATE,
  'views/queries/mapping-versions.ts': PRIVATE,
  'views/queries/source-parts.ts': PRIVATE,
  'runs/recover-run.ts': PRIVATE,
  'views/reporting/report-proof.ts': PRIVATE,
  'pipeline/reprocessing/plan-corrections.ts': PRIVATE,
  'pipeline/sources/archived-attachment.ts': PRIVATE,
  'pipeline/sources/open-file-stream.ts': PRIVATE,
  'runs/take-over.ts': PRIVATE,
  'verify/archived-mapping.ts': PRIVATE,
  'verify/verify-source.ts': PRIVATE,
  'receipts/archive-mapping.ts': PRIVATE,
  'receipts/archive-source.ts': PRIVATE,
};

function actsOf(text: string): readonly string[] {
  const imports = text.matchAll(/import (?:type )?\{([^}]*)\} from 'node:fs(?:\/promises)?';/g);
  return [...imports]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().split(' as ')[0] ?? '')
    .filter((name) => ACTS.test(name));
}

const files = new Map(sourceFiles(root).map(({ path, text }) => [path.replace(/^src\//, ''), text]));
const found = [...files]
  .filter(([path, text]) => STAGES.some((stage) => path.startsWith(stage)) && actsOf(text).length > 0)
  .map(([path]) => path);

test('only the listed files act on files themselves', () => {
  expect(found.filter((path) => !(path in MAY))).toEqual([]);
});

test('every listed file still does', () => {
  expect(Object.keys(MAY).filter((path) => !found.includes(path))).toEqual([]);
});

test('a file that says so goes through the guard', () => {
  const guarded = Object.entries(MAY).filter(([, why]) => why === GUARDED);
  const without = guarded.filter(([path]) => !/guarded-place\.ts'/.test(files.get(path) ?? ''));
  expect(without).toEqual([]);
});
