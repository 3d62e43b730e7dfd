/** Generated from locales/<language>/cli-setup.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const INIT_COMMAND = {
  exists: message<'path'>('init-command.exists'),
  nameAnother: message('init-command.nameAnother'),
  stopped: message('init-command.stopped'),
  sandboxServices: message<'setting'>('init-command.sandboxServices'),
  sandboxServicesHint: message('init-command.sandboxServicesHint'),
  otherCountry: message<'option'>('init-command.otherCountry'),
  otherCountryHint: message('init-command.otherCountryHint'),
  ledgerAlone: message<'option'>('init-command.ledgerAlone'),
  ledgerAloneHint: message('init-command.ledgerAloneHint'),
  wrongAnswers: message<'count'>('init-command.wrongAnswers'),
  wrongAnswersHint: message('init-command.wrongAnswersHint'),
  ready: message<'folder'>('init-command.ready'),
  environment: message('init-command.environment'),
};

export const INIT_STEP = {
  sandbox: message('init-step.sandbox'),
  secret: message('init-step.secret'),
  secrets: message<'others'>('init-step.secrets'),
  secretList: message('init-step.secretList'),
  check: message('init-step.check'),
  doctor: message('init-step.doctor'),
  firstRun: message('init-step.firstRun'),
};

export const INIT_QUESTION = {
  intro: message('init-question.intro'),
  language: message<'choices' | 'proposed'>('init-question.language'),
  company: message('init-question.company'),
  environment: message<'proposed' | 'sandbox'>('init-question.environment'),
  country: message<'choices' | 'proposed'>('init-question.country'),
  provider: message('init-question.provider'),
  setting: message<'setting'>('init-question.setting'),
  expectIntro: message<'example'>('init-question.expectIntro'),
  expect: message('init-question.expect'),
  keep: message('init-question.keep'),
};

export const INIT_QUESTION_COUNT = {
  expected: message<'count'>('init-question-count.expected'),
};

export const DEMO_COMMAND = {
  nameAnother: message('demo-command.nameAnother'),
  title: message('demo-command.title'),
  services: message('demo-command.services'),
  imitated: message('demo-command.imitated'),
  inbox: message('demo-command.inbox'),
  notAsScripted: message<'states'>('demo-command.notAsScripted'),
  happened: message('demo-command.happened'),
  lookAround: message('demo-command.lookAround'),
  receipts: message('demo-command.receipts'),
  errors: message('demo-command.errors'),
  oneDocument: message('demo-command.oneDocument'),
  preview: message('demo-command.preview'),
  inBrowser: message('demo-command.inBrowser'),
  inClone: message('demo-command.inClone'),
  file: message('demo-command.file'),
  number: message('demo-command.number'),
};

export const SANDBOX_COMMAND = {
  production: message<'environment'>('sandbox-command.production'),
  leaveOutEnv: message('sandbox-command.leaveOutEnv'),
  settings: message('sandbox-command.settings'),
  noScript: message<'path'>('sandbox-command.noScript'),
  checkPath: message('sandbox-command.checkPath'),
};

export const SCHEDULE_COMMAND = {
  noFolder: message<'path'>('schedule-command.noFolder'),
  makeFolder: message('schedule-command.makeFolder'),
  noWatch: message('schedule-command.noWatch'),
  watchBy: message('schedule-command.watchBy'),
  notATime: message<'text'>('schedule-command.notATime'),
  writeTime: message('schedule-command.writeTime'),
  exists: message<'path'>('schedule-command.exists'),
  removeFirst: message('schedule-command.removeFirst'),
  written: message<'path'>('schedule-command.written'),
  notAnAddress: message<'text'>('schedule-command.notAnAddress'),
  notAName: message<'text'>('schedule-command.notAName'),
  writeName: message('schedule-command.writeName'),
  writeAddress: message('schedule-command.writeAddress'),
  inClone: message<'path'>('schedule-command.inClone'),
  inHome: message<'path'>('schedule-command.inHome'),
  beforeHour: message<'at' | 'by' | 'name' | 'zone'>('schedule-command.beforeHour'),
};

export const SECRET_COMMAND = {
  question: message<'settings'>('secret-command.question'),
  stopped: message('secret-command.stopped'),
  trimmed: message('secret-command.trimmed'),
  written: message<'path' | 'settings'>('secret-command.written'),
  noName: message('secret-command.noName'),
  notInSettings: message<'name'>('secret-command.notInSettings'),
  files: message<'files'>('secret-command.files'),
  noFiles: message('secret-command.noFiles'),
  none: message('secret-command.none'),
  setting: message('secret-command.setting'),
  reference: message('secret-command.reference'),
  state: message('secret-command.state'),
  readable: message('secret-command.readable'),
};
