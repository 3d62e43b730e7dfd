/**
 * Checks the services: how far a connection gets, whose certificate answers, and whether they give a token. Input: an
 * instance and the clock. Output: checks; an OperatorError becomes a failed check. It requests tokens and sends no
 * document.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Probe, probe } from '../delivery/connection-probe.ts';
import { connectionWords } from '../delivery/connection-words.ts';
import { openHttp, type Surroundings } from '../delivery/http-exchange.ts';
import type { Destination, Http } from '../delivery/service.ts';
import { proxyInClear } from '../delivery/service-settings.ts';
import { TokenRefused } from '../delivery/token-cache.ts';
import { type Message, verbatimText } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_SERVICE } from '../i18n/messages/doctor-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { OperatorError } from '../model/fault.ts';
import { compareClocks } from './doctor-machine.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Renewing a certificate at a provider takes days. */
const ENDS_SOON_DAYS = 21;

/** Checks all services in parallel. For each service: connections, tokens, clock, document classes, proxy. */
export async function serviceChecks(instance: Instance, now: () => Date): Promise<DoctorCheck[]> {
  const around: Surroundings = {
    readFile: (name) => readFile(resolve(instance.folder, name)),
    reveal: instance.secrets.reveal,
    rejectUnauthorized: process.env.NODE_TLS_REJECT_UNAUTHORIZED,
  };
  const checks = await Promise.all(
    instance.destinations.map(async (destination) => [
      ...(await checkDestination(destination, around, instance, now)),
      ...contractChecks(destination, instance),
      ...proxyCheck(destination),
    ]),
  );
  return checks.flat();
}

/** Requests a token for each account first: these requests show the origins to probe and the clock of the service. */
async function checkDestination(
  destination: Destination,
  around: Surroundings,
  { secrets }: Instance,
  now: () => Date,
): Promise<DoctorCheck[]> {
  const service = destination.name;
  // A service may issue tokens at another address than the one of its documents: each origin is probed once.
  const origins = new Map<string, 'documents' | 'tokens'>([[new URL(destination.baseUrl).origin, 'documents']]);
  let date: string | undefined;
  try {
    await using open = await openHttp(destination.connection, around);
    const listening: Http = async (request) => {
      const { origin } = new URL(request.url);
      if (!origins.has(origin)) origins.set(origin, 'tokens');
      const exchange = await open.http(request);
      if ('status' in exchange) date = exchange.headers.date;
      return exchange;
    };
    const { authorize, authorizeConsultation, accounts = [] } = destination;
    const tokens = [await tokenCheck(DOCTOR_CHECK.credentials({ service }), authorize, listening, secrets)];
    for (const { name, authorize: own } of accounts) {
      tokens.push(await tokenCheck(DOCTOR_CHECK.credentialsOf({ service, account: name }), own, listening, secrets));
    }
    if (authorizeConsultation) {
      tokens.push(await tokenCheck(DOCTOR_CHECK.consultation({ service }), authorizeConsultation, listening, secrets));
    }
    const connections = await Promise.all(
      [...origins].map(async ([origin, purpose]) => {
        const what = DOCTOR_CHECK[purpose]({ service });
        return connectionCheck(what, origin, await probe(new URL(origin), destination.connection, around), now());
      }),
    );
    return [...connections.flat(), ...tokens, ...compareClocks(destination.name, date, now())];
  } catch (error) {
    if (error instanceof OperatorError) {
      return [
        failed(
          DOCTOR_CHECK.service({ service }),
          DOCTOR_SERVICE.problem({ code: error.code, text: error.texts.message }),
          error.texts.hint ?? DOCTOR_SERVICE.correctSettings(),
        ),
      ];
    }
    throw error;
  }
}

/** Every error of a token request becomes a failed check. The token is hidden from output at once. */
async function tokenCheck(
  what: Message,
  authorize: Destination['authorize'],
  http: Http,
  secrets: Instance['secrets'],
): Promise<DoctorCheck> {
  try {
    secrets.hide((await authorize(http, secrets.reveal)).value);
    return ok(what, DOCTOR_SERVICE.tokenGiven());
  } catch (error) {
    const texts = error instanceof OperatorError ? error.texts : undefined;
    const words =
      error instanceof TokenRefused ? error.says : verbatimText(error instanceof Error ? error.message : String(error));
    const says = texts?.message ?? words;
    return failed(what, says, texts?.hint ?? DOCTOR_SERVICE.noToken());
  }
}

/** The first step that fails names its own fix: name, port, TLS, certificate. */
function connectionCheck(what: Message, origin: string, probed: Probe, now: Date): DoctorCheck[] {
  const { reached, addresses, viaProxy } = probed;
  const problem = problemOf(probed);
  const at = viaProxy ? DOCTOR_SERVICE.throughProxy({ origin }) : verbatimText(origin);
  if (reached === 'nothing') {
    return [failed(what, DOCTOR_SERVICE.nameUnknown({ at, problem }), DOCTOR_SERVICE.checkName())];
  }
  const found = DOCTOR_SERVICE.found({ at, addresses });
  if (reached === 'name') {
    return [failed(what, DOCTOR_SERVICE.noConnection({ found, problem }), DOCTOR_SERVICE.checkPort())];
  }
  if (reached === 'port' && probed.problem !== undefined) {
    return [failed(what, DOCTOR_SERVICE.noTls({ found, problem }), DOCTOR_SERVICE.checkTls())];
  }
  return [certificateCheck(what, found, probed, now)];
}

function problemOf({ problem: code = '' }: Probe): Message {
  return connectionWords({ code });
}

/** An ended certificate comes before an untrusted one, because it explains why TLS does not trust it. */
function certificateCheck(what: Message, found: Message, probed: Probe, now: Date): DoctorCheck {
  const { protocol = '', certificate } = probed;
  if (!certificate) return ok(what, DOCTOR_SERVICE.reached({ found }));
  const days = Math.floor((certificate.validTo.getTime() - now.getTime()) / DAY_MS);
  const { subject, issuer } = certificate;
  const shown = DOCTOR_SERVICE.certificate({ found, protocol, subject, issuer });
  if (days < 0) {
    return failed(what, DOCTOR_SERVICE.ended({ certificate: shown, days: -days }), DOCTOR_SERVICE.endedHint());
  }
  if (probed.problem !== undefined) {
    return failed(
      what,
      DOCTOR_SERVICE.notTrusted({ certificate: shown, problem: problemOf(probed) }),
      DOCTOR_SERVICE.notTrustedHint(),
    );
  }
  if (days >= ENDS_SOON_DAYS) return ok(what, DOCTOR_SERVICE.valid({ certificate: shown, days }));
  return warning(what, DOCTOR_SERVICE.endsSoon({ certificate: shown, days }), DOCTOR_SERVICE.endsSoonHint());
}

/** A warning if the proxy gets credentials over plain HTTP; else empty. */
export function proxyCheck({ name, connection }: Pick<Destination, 'name' | 'connection'>): DoctorCheck[] {
  const proxy = proxyInClear(connection);
  if (proxy === undefined) return [];
  const says = DOCTOR_SERVICE.proxyInClear({ proxy });
  return [warning(DOCTOR_CHECK.proxy({ service: name }), says, DOCTOR_SERVICE.proxyInClearHint())];
}

/** Document classes that the settings of the service do not cover, with the reason. */
function contractChecks({ name, lacks: lacking }: Destination, { classesOf }: Instance): DoctorCheck[] {
  return classesOf(name).flatMap((documentClass) => {
    const says = lacking(documentClass);
    if (says === undefined) return [];
    return [warning(DOCTOR_CHECK.service({ service: name }), says, DOCTOR_SERVICE.lacksHint())];
  });
}
