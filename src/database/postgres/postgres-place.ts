/** Where the PostgreSQL server of a ledger is, as the settings `ledger.postgres` name it. */

export type PostgresPlace = {
  /** Name or address; a path that begins with `/` is the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** `required`: encrypted, whatever the certificate; `verify`: of a known authority, for this host. */
  readonly tls: 'required' | 'verify' | 'off';
  /** The certificates of the authorities, as PEM, in place of those of the system. */
  readonly ca?: string;
  /** The schema of the tables: a plain lower-case name. */
  readonly schema: string;
  /** How long a worker may be silent before another one takes its work over. */
  readonly leaseMs: number;
};
