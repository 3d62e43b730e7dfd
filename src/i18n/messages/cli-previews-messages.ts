/** Generated from locales/<language>/cli-previews.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const PREVIEW = {
  noAnswers: message('preview.noAnswers'),
  notADiff: message('preview.notADiff'),
  addFormat: message('preview.addFormat'),
  ofExportsOnly: message<'option'>('preview.ofExportsOnly'),
  leaveOut: message<'option'>('preview.leaveOut'),
  noSuchNumber: message<'number'>('preview.noSuchNumber'),
  counted: message<'documents' | 'wrong'>('preview.counted'),
  noNumber: message('preview.noNumber'),
  noValue: message('preview.noValue'),
  fromRow: message<'row'>('preview.fromRow'),
  feedsNothing: message('preview.feedsNothing'),
  refusedNothing: message('preview.refusedNothing'),
  inDocument: message<'class' | 'document'>('preview.inDocument'),
  andMore: message<'cells' | 'count'>('preview.andMore'),
  nothing: message('preview.nothing'),
  noFile: message<'path'>('preview.noFile'),
  cellsShortened: message<'count'>('preview.cellsShortened'),
};

export const PREVIEWED_CORRECTION = {
  corrected: message<'document'>('previewed-correction.corrected'),
  held: message<'document'>('previewed-correction.held'),
  stillWrong: message<'document'>('previewed-correction.stillWrong'),
  readAgain: message<'document'>('previewed-correction.readAgain'),
  unchanged: message<'document'>('previewed-correction.unchanged'),
  late: message<'document'>('previewed-correction.late'),
  refused: message<'document'>('previewed-correction.refused'),
  change: message<'column' | 'from' | 'row' | 'to'>('previewed-correction.change'),
  moreChanges: message<'count'>('previewed-correction.moreChanges'),
  duplicate: message<'file' | 'first'>('previewed-correction.duplicate'),
  counted: message<'documents' | 'file' | 'passing'>('previewed-correction.counted'),
};

export const PREVIEW_TABLE = {
  field: message('preview-table.field'),
  value: message('preview-table.value'),
  from: message('preview-table.from'),
  mapping: message('preview-table.mapping'),
  feeds: message('preview-table.feeds'),
};

export const PREVIEW_SUMMARY = {
  fault: message('preview-summary.fault'),
  documents: message('preview-summary.documents'),
  first: message('preview-summary.first'),
};

export const LEDGER_DIFFERENCE = {
  same: message('ledger-difference.same'),
  changed: message('ledger-difference.changed'),
  new: message('ledger-difference.new'),
  'now-refused': message('ledger-difference.now-refused'),
  'now-valid': message('ledger-difference.now-valid'),
  'still-refused': message('ledger-difference.still-refused'),
};

export const LEDGER_DIFFERENCE_COUNT = {
  same: message<'count'>('ledger-difference-count.same'),
  changed: message<'count'>('ledger-difference-count.changed'),
  new: message<'count'>('ledger-difference-count.new'),
  'now-refused': message<'count'>('ledger-difference-count.now-refused'),
  'now-valid': message<'count'>('ledger-difference-count.now-valid'),
  'still-refused': message<'count'>('ledger-difference-count.still-refused'),
};

export const LEDGER_DIFF = {
  summary: message<'counts'>('ledger-diff.summary'),
  none: message('ledger-diff.none'),
  recorded: message<'mapping' | 'state'>('ledger-diff.recorded'),
  noMapping: message('ledger-diff.noMapping'),
};

export const VERSION_DIFFERENCE = {
  same: message('version-difference.same'),
  changed: message('version-difference.changed'),
  added: message('version-difference.added'),
  removed: message('version-difference.removed'),
  refused: message('version-difference.refused'),
  mended: message('version-difference.mended'),
};

export const VERSION_DIFFERENCE_COUNT = {
  same: message<'count'>('version-difference-count.same'),
  changed: message<'count'>('version-difference-count.changed'),
  added: message<'count'>('version-difference-count.added'),
  removed: message<'count'>('version-difference-count.removed'),
  refused: message<'count'>('version-difference-count.refused'),
  mended: message<'count'>('version-difference-count.mended'),
};

export const DIFF = {
  head: message<'counts' | 'files'>('diff.head'),
  none: message('diff.none'),
  readNow: message('diff.readNow'),
  refusedNow: message('diff.refusedNow'),
  refused: message('diff.refused'),
  was: message<'number'>('diff.was'),
};

export const DIFF_TABLE = {
  documents: message('diff-table.documents'),
  field: message('diff-table.field'),
  example: message('diff-table.example'),
  fault: message('diff-table.fault'),
  appears: message('diff-table.appears'),
  disappears: message('diff-table.disappears'),
};

export const DIFF_COUNT = {
  files: message<'count'>('diff-count.files'),
  onlyNew: message<'count'>('diff-count.onlyNew'),
  refusedByNew: message<'count'>('diff-count.refusedByNew'),
  refusedByBoth: message<'count'>('diff-count.refusedByBoth'),
};
