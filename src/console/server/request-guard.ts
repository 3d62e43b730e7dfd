/**
 * Looks at the headers of a request before anything else does: the host that it names, and the page that it comes from.
 * A wrong one gives the status of the refusal, a right one undefined.
 */

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Hosts as browsers write them, in small letters: names of this machine with the port, and those of the settings as
 * they are and with the port. A page on another port of this machine is another origin.
 */
export function hostsOf(local: readonly string[], named: readonly string[], port: number): ReadonlySet<string> {
  const withPort = [...local, ...named].map((name) => `${name.toLowerCase()}:${port}`);
  // Port 80 is left out by browsers.
  return new Set([...withPort, ...[...named, ...(port === 80 ? local : [])].map((name) => name.toLowerCase())]);
}

/** 421: a name that leads here is no name of ours, as after a rebinding of DNS (RFC 9110, 15.5.20). */
export function refuseHost(host: string | undefined, hosts: ReadonlySet<string>): 421 | undefined {
  return host !== undefined && hosts.has(host.toLowerCase()) ? undefined : 421;
}

/**
 * 403 where a request that changes something comes from another page than ours. Browsers set Sec-Fetch-Site themselves;
 * where it is missing, Origin has to be a host of ours. Under our Referrer-Policy a form of ours has the Origin `null` (Fetch,
 * 3.2), as a frame without an origin has: that one alone says nothing.
 */
export function refuseForgery(method: string, headers: Headers, hosts: ReadonlySet<string>): 403 | undefined {
  if (READS.has(method)) return undefined;
  const origin = headers.get('origin');
  const isKnown = origin !== null && isOurs(origin, hosts);
  const site = headers.get('sec-fetch-site');
  if (site === null) return isKnown ? undefined : 403;
  const isSilent = origin === null || origin === 'null';
  return site === 'same-origin' && (isKnown || isSilent) ? undefined : 403;
}

function isOurs(origin: string, hosts: ReadonlySet<string>): boolean {
  const host = URL.parse(origin)?.host;
  return host !== undefined && hosts.has(host.toLowerCase());
}
