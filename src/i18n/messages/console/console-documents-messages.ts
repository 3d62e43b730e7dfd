/** Generated from locales/<language>/console-documents.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const DOCUMENTS_PAGE = {
  title: message('documents-page.title'),
  about: message('documents-page.about'),
  aboutFiltered: message('documents-page.aboutFiltered'),
  caption: message('documents-page.caption'),
  empty: message('documents-page.empty'),
  none: message('documents-page.none'),
  nothingListed: message('documents-page.nothingListed'),
  csv: message('documents-page.csv'),
  json: message('documents-page.json'),
  warnings: message<'count'>('documents-page.warnings'),
};

export const DOCUMENTS_FILTER = {
  state: message('documents-filter.state'),
  service: message('documents-filter.service'),
  mapping: message('documents-filter.mapping'),
  customer: message('documents-filter.customer'),
  file: message('documents-filter.file'),
  amount: message('documents-filter.amount'),
  run: message('documents-filter.run'),
  since: message('documents-filter.since'),
  until: message('documents-filter.until'),
  day: message('documents-filter.day'),
  warnings: message('documents-filter.warnings'),
  withWarnings: message('documents-filter.withWarnings'),
};

export const DOCUMENTS_FILTER_REFUSED = {
  day: message<'value'>('documents-filter-refused.day'),
  time: message<'value'>('documents-filter-refused.time'),
  amount: message<'value'>('documents-filter-refused.amount'),
  state: message<'value'>('documents-filter-refused.state'),
};

export const DOCUMENTS_COLUMN = {
  document: message('documents-column.document'),
  state: message('documents-column.state'),
  customer: message('documents-column.customer'),
  date: message('documents-column.date'),
  amount: message('documents-column.amount'),
  currency: message('documents-column.currency'),
  file: message('documents-column.file'),
  rows: message('documents-column.rows'),
  since: message('documents-column.since'),
  found: message('documents-column.found'),
  id: message('documents-column.id'),
  sourceNumber: message('documents-column.sourceNumber'),
  class: message('documents-column.class'),
  service: message('documents-column.service'),
  mapping: message('documents-column.mapping'),
  imported: message('documents-column.imported'),
  run: message('documents-column.run'),
  trackingId: message('documents-column.trackingId'),
  requestId: message('documents-column.requestId'),
  warnings: message('documents-column.warnings'),
};

export const FIND_PAGE = {
  title: message('find-page.title'),
  titleOf: message<'text'>('find-page.titleOf'),
  about: message<'count'>('find-page.about'),
  more: message('find-page.more'),
  ask: message('find-page.ask'),
  caption: message('find-page.caption'),
  files: message('find-page.files'),
  filesCaption: message('find-page.filesCaption'),
};
