/** Generated from locales/<language>/console-shell.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const CONSOLE_PLACE = {
  home: message('console-place.home'),
  work: message('console-place.work'),
  documents: message('console-place.documents'),
  files: message('console-place.files'),
  runs: message('console-place.runs'),
  mappings: message('console-place.mappings'),
  health: message('console-place.health'),
  people: message('console-place.people'),
};

export const CONSOLE_FRAME = {
  skip: message('console-frame.skip'),
  menu: message('console-frame.menu'),
  places: message('console-frame.places'),
  find: message('console-frame.find'),
  findWhat: message('console-frame.findWhat'),
  you: message('console-frame.you'),
  language: message('console-frame.language'),
  theme: message('console-frame.theme'),
  keyboard: message('console-frame.keyboard'),
  save: message('console-frame.save'),
  signOut: message('console-frame.signOut'),
  account: message('console-frame.account'),
  waiting: message<'count'>('console-frame.waiting'),
  nothingWaits: message('console-frame.nothingWaits'),
  refresh: message('console-frame.refresh'),
  changed: message('console-frame.changed'),
  changedDocuments: message('console-frame.changedDocuments'),
};

export const CONSOLE_ENVIRONMENT = {
  production: message('console-environment.production'),
  test: message('console-environment.test'),
  sandbox: message('console-environment.sandbox'),
};

export const CONSOLE_THEME = {
  auto: message('console-theme.auto'),
  light: message('console-theme.light'),
  dark: message('console-theme.dark'),
};

export const CONSOLE_SWITCH = {
  on: message('console-switch.on'),
  off: message('console-switch.off'),
};

export const CONSOLE_KEY = {
  title: message('console-key.title'),
  close: message('console-key.close'),
  find: message('console-key.find'),
  next: message('console-key.next'),
  previous: message('console-key.previous'),
  select: message('console-key.select'),
  open: message('console-key.open'),
  edit: message('console-key.edit'),
  do: message('console-key.do'),
  again: message('console-key.again'),
  up: message('console-key.up'),
  goTo: message<'place'>('console-key.goTo'),
  help: message('console-key.help'),
};

export const CONSOLE_LIST = {
  chip: message<'name'>('console-list.chip'),
  more: message('console-list.more'),
  none: message('console-list.none'),
  clear: message('console-list.clear'),
  apply: message('console-list.apply'),
  first: message('console-list.first'),
  next: message('console-list.next'),
  shown: message<'count'>('console-list.shown'),
  choose: message('console-list.choose'),
  chooseRow: message<'name'>('console-list.chooseRow'),
  without: message<'name' | 'value'>('console-list.without'),
  all: message('console-list.all'),
};

export const CONSOLE_ACT = {
  because: message('console-act.because'),
  whyKept: message('console-act.whyKept'),
  needsReason: message('console-act.needsReason'),
  onTerminal: message('console-act.onTerminal'),
  copy: message('console-act.copy'),
  copied: message('console-act.copied'),
  recorded: message('console-act.recorded'),
  count: message<'count'>('console-act.count'),
};

export const CONSOLE_DIFFERENCE = {
  before: message('console-difference.before'),
  after: message('console-difference.after'),
};
