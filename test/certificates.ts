/** Certificates that are made anew each time, so that no key is in the repository: self-signed, of an authority, and its own. */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

export type Certificate = { readonly key: string; readonly cert: string };

export type Authority = Certificate & {
  /** A certificate of it for a host name, or for an address of four numbers. */
  readonly certify: (host: string, end?: Date) => Certificate;
};

const FAR = new Date(Date.UTC(2049, 11, 31));
const LOOPBACK = '127.0.0.1';

/** A self-signed certificate for 127.0.0.1. Ends in 2049 unless told. */
export function selfSigned(end = FAR): Certificate {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return certificate({
    pair,
    name: 'loopback',
    issuer: { name: 'loopback', key: pair.privateKey },
    end,
    extension: hostName(LOOPBACK),
  });
}

export function makeAuthority(name: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name, key: own.privateKey };
  return {
    ...certificate({ pair: own, name, issuer, end: FAR, extension: AUTHORITY }),
    certify: (host, end = FAR) => {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return certificate({ pair, name: host, issuer, end, extension: hostName(host) });
    },
  };
}

type Wish = {
  readonly pair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  readonly name: string;
  readonly issuer: { readonly name: string; readonly key: KeyObject };
  readonly end: Date;
  readonly extension: Buffer;
};

/** RFC 5280, 4.1. */
function certificate({ pair, name, issuer, end, extension }: Wish): Certificate {
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const utc = (text: string) => der(0x17, Buffer.from(text));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    distinguished(issuer.name),
    der(0x30, utc('200101000000Z'), utc(`${end.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`)),
    distinguished(name),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension)),
  );
  const signature = der(0x03, Buffer.from([0]), createSign('SHA256').update(body).sign(issuer.key));
  const lines = der(0x30, body, ecdsaWithSha256, signature)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return {
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function distinguished(name: string): Buffer {
  return der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)))));
}

/** basicConstraints, critical: a certificate that may sign others. */
const AUTHORITY = der(
  0x30,
  der(0x06, Buffer.from('551d13', 'hex')),
  der(0x01, Buffer.from([0xff])),
  der(0x04, der(0x30, der(0x01, Buffer.from([0xff])))),
);

/** subjectAltName. */
function hostName(host: string): Buffer {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(host);
  const name = isAddress ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
  return der(0x30, der(0x06, Buffer.from('551d11', 'hex')), der(0x04, der(0x30, name)));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
