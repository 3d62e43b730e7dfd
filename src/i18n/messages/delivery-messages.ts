/** Generated from locales/<language>/delivery.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const REASON = {
  notSent: message<'error'>('reason.notSent'),
  noAnswer: message<'error'>('reason.noAnswer'),
  status: message<'status' | 'why'>('reason.status'),
  freshToken: message<'reason'>('reason.freshToken'),
  code: message<'code'>('reason.code'),
  codeNamed: message<'code' | 'name'>('reason.codeNamed'),
  neverShould: message<'code'>('reason.neverShould'),
  contradict: message<'code' | 'status'>('reason.contradict'),
  noEcho: message<'code'>('reason.noEcho'),
  ofError: message<'code' | 'words'>('reason.ofError'),
  totalTimeout: message<'ms'>('reason.totalTimeout'),
};

export const CONSULTED = {
  failed: message<'error'>('consulted.failed'),
  status: message<'status' | 'why'>('consulted.status'),
  doubt: message<'doubt'>('consulted.doubt'),
  notKnown: message('consulted.notKnown'),
  unknownCode: message<'code'>('consulted.unknownCode'),
  ofNumberOnly: message<'code' | 'found'>('consulted.ofNumberOnly'),
  found: message<'amount' | 'date' | 'trackingId'>('consulted.found'),
  told: message<'code'>('consulted.told'),
};

export const ANSWER = {
  compressed: message('answer.compressed'),
  notText: message('answer.notText'),
  notJson: message('answer.notJson'),
  twoCodes: message('answer.twoCodes'),
  noCode: message('answer.noCode'),
  noInteger: message('answer.noInteger'),
  otherEcho: message<'at' | 'expected' | 'given' | 'name'>('answer.otherEcho'),
  echoedTwice: message<'at' | 'expected' | 'name'>('answer.echoedTwice'),
};

export const CONNECTION_FAULT = {
  checksOff: message('connection-fault.checksOff'),
  checksOffHint: message('connection-fault.checksOffHint'),
  certificate: message<'error'>('connection-fault.certificate'),
  certificateHint: message('connection-fault.certificateHint'),
  setting: message<'problem' | 'setting'>('connection-fault.setting'),
  settingHint: message('connection-fault.settingHint'),
};

export const SERVICE_SETTING = {
  address: message('service-setting.address'),
  noPassword: message('service-setting.noPassword'),
  noQuery: message('service-setting.noQuery'),
  onlyHttps: message('service-setting.onlyHttps'),
  certificateAndKey: message('service-setting.certificateAndKey'),
  clientAndSecret: message('service-setting.clientAndSecret'),
  senderOf: message('service-setting.senderOf'),
  twoSecrets: message<'client'>('service-setting.twoSecrets'),
  twoSenders: message<'name'>('service-setting.twoSenders'),
  zone: message('service-setting.zone'),
  requestIdHeader: message('service-setting.requestIdHeader'),
  unknownPlaceholder: message<'name' | 'names'>('service-setting.unknownPlaceholder'),
  nameDocument: message<'one' | 'other'>('service-setting.nameDocument'),
  bodyOfGet: message('service-setting.bodyOfGet'),
  proxy: message('service-setting.proxy'),
  duration: message('service-setting.duration'),
  pointer: message('service-setting.pointer'),
  rate: message('service-setting.rate'),
  headerName: message('service-setting.headerName'),
  path: message('service-setting.path'),
};

export const CONNECTION_PROBLEM = {
  refused: message('connection-problem.refused'),
  cut: message('connection-problem.cut'),
  unknownName: message('connection-problem.unknownName'),
  noNameService: message('connection-problem.noNameService'),
  noConnectionInTime: message('connection-problem.noConnectionInTime'),
  noAnswerInTime: message('connection-problem.noAnswerInTime'),
  noWay: message('connection-problem.noWay'),
  expired: message('connection-problem.expired'),
  selfSigned: message('connection-problem.selfSigned'),
  unknownAuthority: message('connection-problem.unknownAuthority'),
  otherName: message('connection-problem.otherName'),
  noTls: message('connection-problem.noTls'),
  notHttp: message('connection-problem.notHttp'),
  continued: message('connection-problem.continued'),
};

export const TOKEN_REFUSAL = {
  noAnswer: message<'error'>('token-refusal.noAnswer'),
  credentials: message<'status'>('token-refusal.credentials'),
  status: message<'status'>('token-refusal.status'),
  noToken: message('token-refusal.noToken'),
  notAToken: message('token-refusal.notAToken'),
  tooLong: message<'length' | 'most'>('token-refusal.tooLong'),
};

export const SERVICE_STOP = {
  tokenNotAccepted: message('service-stop.tokenNotAccepted'),
  forbidden: message('service-stop.forbidden'),
  redirect: message<'status'>('service-stop.redirect'),
  notTrusted: message<'error'>('service-stop.notTrusted'),
  noClass: message<'name' | 'service'>('service-stop.noClass'),
  noReportPath: message('service-stop.noReportPath'),
};
