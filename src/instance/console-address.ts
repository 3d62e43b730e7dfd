/** Where browsers find the console, from the settings alone. Pure. */
import type { ServeSettings } from './serve-shape.ts';

/** Paths of a console for this machine alone have the salt of the instance: cookies go to every port of a machine. */
export function consoleBase(serve: ServeSettings, salt: string): string {
  return serve.tls || serve.proxy ? '' : `/i/${salt}`;
}

/** `https://host:port/` or `http://127.0.0.1:port/i/<salt>/`. Next to a proxy it is the name that browsers use. */
export function consoleAddress(serve: ServeSettings, salt: string, port: number): string {
  const base = consoleBase(serve, salt);
  const [host = serve.host] = serve.hosts;
  if (serve.proxy) return `https://${host}${base}/`;
  if (!serve.tls) return `http://127.0.0.1:${port}${base}/`;
  return port === 443 || host.includes(':') ? `https://${host}${base}/` : `https://${host}:${port}${base}/`;
}

/** The token is after the number sign, so it never leaves the browser with an address. */
export function signInAddress(console: string, token: string): string {
  return `${console}login#t=${token}`;
}
