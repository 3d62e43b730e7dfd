/** The services: how far one gets to them, whose certificate answers, and whether they give a token. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Probe, probe } from '../delivery/connection-probe.ts';
import { openHttp, type Surroundings } from '../delivery/http-exchange.ts';
import type { Destination, Http } from '../delivery/service.ts';
import { proxyInClear } from '../delivery/service-settings.ts';
import type { Instance } from '../instance/instance.ts';
import { OperatorError } from '../model/fault.ts';
import { clockAgainst } from './doctor-machine.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Renewing a certificate at a provider takes days. */
const ENDS_SOON_DAYS = 21;

export async function serviceChecks(instance: Instance, now: () => Date): Promise<DoctorCheck[]> {
  const around: Surroundings = {
    readFile: (name) => readFile(resolve(instance.folder, name)),
    reveal: instance.secrets.reveal,
    rejectUnauthorized: process.env.NODE_TLS_REJECT_UNAUTHORIZED,
  };
  const checks = await Promise.all(
    instance.destinations.map(async (destination) => [
      ...(await checksOf(destination, around, instance, now)),
      ...lacks(destination, instance),
      ...proxyCheck(destination),
    ]),
  );
  return checks.flat();
}

async function checksOf(
  destination: Destination,
  around: Surroundings,
  { secrets }: Instance,
  now: () => Date,
): Promise<DoctorCheck[]> {
  const what = `service ${destination.name}`;
  // The address of tokens is another one than that of documents.
  const origins = new Map([[new URL(destination.baseUrl).origin, 'documents']]);
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
    const tokens = [await tokenCheck(`${what}, credentials`, authorize, listening, secrets)];
    for (const { name, authorize: own } of accounts) {
      tokens.push(await tokenCheck(`${what}, credentials of ${name}`, own, listening, secrets));
    }
    if (authorizeConsultation) {
      tokens.push(await tokenCheck(`${what}, consultation`, authorizeConsultation, listening, secrets));
    }
    const ways = await Promise.all(
      [...origins].map(async ([origin, purpose]) => {
        const way = `${what}, ${purpose}`;
        return wayCheck(way, origin, await probe(new URL(origin), destination.connection, around), now());
      }),
    );
    return [...ways.flat(), ...tokens, ...clockAgainst(destination.name, date, now())];
  } catch (error) {
    if (error instanceof OperatorError) {
      return [failed(what, `${error.code}: ${error.message}`, error.hint ?? 'correct the settings')];
    }
    throw error;
  }
}

async function tokenCheck(
  what: string,
  authorize: Destination['authorize'],
  http: Http,
  secrets: Instance['secrets'],
): Promise<DoctorCheck> {
  try {
    secrets.hide((await authorize(http, secrets.reveal)).value);
    return ok(what, 'a token was given');
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    const hint = error instanceof OperatorError ? error.hint : undefined;
    return failed(what, says, hint ?? 'nothing was sent; the lines above tell how far one gets');
  }
}

function wayCheck(what: string, origin: string, seen: Probe, now: Date): DoctorCheck[] {
  const { reached, addresses, problem, protocol, certificate, viaProxy } = seen;
  const at = `${origin}${viaProxy ? ' through the proxy' : ''}`;
  if (reached === 'nothing') {
    return [failed(what, `${at}: the name is not known (${problem})`, 'check the address and the name server')];
  }
  const found = `${at} (${addresses.join(', ')})`;
  if (reached === 'name') {
    return [
      failed(
        what,
        `${found}: no connection (${problem})`,
        'check the port, the firewall and whether a proxy is needed',
      ),
    ];
  }
  if (reached === 'port' && problem !== undefined) {
    return [
      failed(what, `${found}: no TLS (${problem})`, 'TLS 1.2 or newer is needed; something else may listen there'),
    ];
  }
  if (!certificate) return [ok(what, `${found}: reached`)];
  const days = Math.floor((certificate.validTo.getTime() - now.getTime()) / DAY_MS);
  const shown = `${found}: ${protocol}, certificate of ${certificate.subject} by ${certificate.issuer}`;
  if (days < 0) {
    return [
      failed(what, `${shown}, ended ${-days} days ago`, 'the provider has to renew it; nothing is sent meanwhile'),
    ];
  }
  if (problem !== undefined) {
    const hint =
      'where the authority is your own, give its certificate as connection.ca-file; checks are never switched off';
    return [failed(what, `${shown}: not trusted (${problem})`, hint)];
  }
  return [
    days < ENDS_SOON_DAYS
      ? warning(what, `${shown}, ends in ${days} days`, 'ask the provider when it is renewed')
      : ok(what, `${shown}, valid for ${days} days`),
  ];
}

export function proxyCheck({ name, connection }: Pick<Destination, 'name' | 'connection'>): DoctorCheck[] {
  const proxy = proxyInClear(connection);
  if (proxy === undefined) return [];
  const says = `${proxy} gets user and password without encryption (connection.proxy-credentials)`;
  return [
    warning(`service ${name}, proxy`, says, 'use https:// for the proxy, with its authority as connection.ca-file'),
  ];
}

function lacks({ name, lacks: lacking }: Destination, { classesOf }: Instance): DoctorCheck[] {
  return classesOf(name).flatMap((documentClass) => {
    const says = lacking(documentClass);
    return says === undefined
      ? []
      : [warning(`service ${name}`, says, 'docs/reference/contracts.md tells what to ask for')];
  });
}
