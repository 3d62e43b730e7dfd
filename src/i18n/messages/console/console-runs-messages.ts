/** Generated from locales/<language>/console-runs.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const RUNS_PAGE = {
  title: message('runs-page.title'),
  about: message('runs-page.about'),
  all: message('runs-page.all'),
  caption: message('runs-page.caption'),
  none: message('runs-page.none'),
  begin: message('runs-page.begin'),
  result: message('runs-page.result'),
  duration: message('runs-page.duration'),
  files: message('runs-page.files'),
  documents: message('runs-page.documents'),
  authorized: message('runs-page.authorized'),
  waiting: message('runs-page.waiting'),
  changed: message('runs-page.changed'),
  watch: message('runs-page.watch'),
};

export const RUN_PAGE = {
  title: message<'time'>('run-page.title'),
  documents: message('run-page.documents'),
  count: message<'count'>('run-page.count'),
  noDocuments: message('run-page.noDocuments'),
  files: message('run-page.files'),
  noFiles: message('run-page.noFiles'),
  file: message('run-page.file'),
  taken: message('run-page.taken'),
  state: message('run-page.state'),
  rows: message('run-page.rows'),
  facts: message('run-page.facts'),
  result: message('run-page.result'),
  end: message('run-page.end'),
  atEnd: message('run-page.atEnd'),
  left: message<'queued' | 'waiting'>('run-page.left'),
  refused: message('run-page.refused'),
  missing: message('run-page.missing'),
  unchanged: message('run-page.unchanged'),
  program: message('run-page.program'),
  machine: message('run-page.machine'),
  process: message<'host' | 'pid'>('run-page.process'),
};
