/** Generated from locales/<language>/console-server.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const PEOPLE = {
  unknown: message<'name'>('people.unknown'),
  unknownHint: message('people.unknownHint'),
  exists: message<'name'>('people.exists'),
  existsHint: message('people.existsHint'),
  name: message('people.name'),
  nameHint: message('people.nameHint'),
  shortPassword: message<'least'>('people.shortPassword'),
  shortPasswordHint: message('people.shortPasswordHint'),
  weakPassword: message('people.weakPassword'),
  weakPasswordHint: message('people.weakPasswordHint'),
  noRole: message('people.noRole'),
  noRoleHint: message('people.noRoleHint'),
};

export const CONSOLE_ROLE = {
  viewer: message('console-role.viewer'),
  operator: message('console-role.operator'),
  consultant: message('console-role.consultant'),
  admin: message('console-role.admin'),
};

export const CONSOLE_ERROR = {
  title: message<'status'>('console-error.title'),
  bodyType: message('console-error.bodyType'),
  bodyUnreadable: message('console-error.bodyUnreadable'),
  bodyTooLarge: message('console-error.bodyTooLarge'),
  forged: message('console-error.forged'),
  notFound: message('console-error.notFound'),
  notAllowed: message('console-error.notAllowed'),
  signIn: message('console-error.signIn'),
  oldForm: message('console-error.oldForm'),
  oldFormHint: message('console-error.oldFormHint'),
  defect: message<'number'>('console-error.defect'),
  defectHint: message('console-error.defectHint'),
  preparing: message<'all' | 'done'>('console-error.preparing'),
  preparingHint: message('console-error.preparingHint'),
  home: message('console-error.home'),
};

export const SIGN_IN = {
  title: message('sign-in.title'),
  name: message('sign-in.name'),
  password: message('sign-in.password'),
  token: message('sign-in.token'),
  tokenHint: message('sign-in.tokenHint'),
  withLink: message('sign-in.withLink'),
  withCompany: message('sign-in.withCompany'),
  withPassword: message('sign-in.withPassword'),
  act: message('sign-in.act'),
  out: message('sign-in.out'),
  failed: message('sign-in.failed'),
  wait: message('sign-in.wait'),
  unbound: message('sign-in.unbound'),
};

export const SERVE_COMMAND = {
  ready: message<'address'>('serve-command.ready'),
  once: message<'file'>('serve-command.once'),
  again: message<'seconds'>('serve-command.again'),
  stays: message('serve-command.stays'),
  ending: message('serve-command.ending'),
};

export const SERVE_SETTING = {
  header: message('serve-setting.header'),
  host: message('serve-setting.host'),
  issuer: message('serve-setting.issuer'),
  open: message('serve-setting.open'),
  noHosts: message('serve-setting.noHosts'),
  tlsAndProxy: message('serve-setting.tlsAndProxy'),
};

export const SERVE_REFUSED = {
  portTaken: message<'host' | 'port'>('serve-refused.portTaken'),
  portTakenHint: message('serve-refused.portTakenHint'),
  cannotListen: message<'code' | 'host' | 'port'>('serve-refused.cannotListen'),
  cannotListenHint: message('serve-refused.cannotListenHint'),
  certificate: message<'file' | 'why'>('serve-refused.certificate'),
  certificateHint: message('serve-refused.certificateHint'),
};

export const PEOPLE_COMMAND = {
  add: message<'name'>('people-command.add'),
  role: message<'name'>('people-command.role'),
  revoke: message<'name'>('people-command.revoke'),
  password: message<'name'>('people-command.password'),
  link: message<'name'>('people-command.link'),
  token: message<'name'>('people-command.token'),
  bind: message<'name'>('people-command.bind'),
  question: message<'name'>('people-command.question'),
  stopped: message('people-command.stopped'),
  none: message('people-command.none'),
  revoked: message('people-command.revoked'),
  title: {
    name: message('people-command.title.name'),
    role: message('people-command.title.role'),
    since: message('people-command.title.since'),
    sessions: message('people-command.title.sessions'),
  },
};

export const ACT_HALT = {
  quarantine: message<'why'>('act-halt.quarantine'),
  endQuarantine: message('act-halt.endQuarantine'),
};
