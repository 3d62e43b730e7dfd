/** What the program writes and prints, as far as the judge reads it. */

export type Receipt = {
  readonly state: string;
  readonly hold: { readonly rule: string } | null;
  readonly document: { readonly identifier: string };
  readonly source: { readonly file: string; readonly sha256: string; readonly rows: readonly number[] };
};
export type Summary = {
  readonly file: { readonly name: string; readonly sha256: string };
  readonly rows: { readonly unaccounted: { readonly count: number }; readonly twice: { readonly count: number } };
};

type Balance = {
  readonly read: number;
  readonly sent: number;
  readonly waiting: number;
  readonly setAside: number;
  readonly skipped: number;
  readonly difference: number;
};
/** Of a report and of `status`. */
export type Expecting = {
  readonly expected?: readonly { readonly due: string; readonly state: string; readonly file?: string }[];
};
export type Report = Expecting & {
  readonly run: string;
  readonly waiting: number;
  readonly settled?: {
    readonly documents: Pick<Balance, 'sent'>;
    readonly currencies: readonly { readonly sent: string }[];
  };
  readonly balance: {
    readonly documents: Balance;
    readonly currencies: readonly { readonly read: string; readonly sent: string }[];
  };
  readonly verdict: { readonly sentence: { readonly en: string } };
};

export type Listed = {
  readonly id: string;
  readonly number: string;
  readonly state: string;
  readonly since: string;
  readonly closed?: string;
  readonly amount: string;
};

export type Status = { readonly [of in 'documents' | 'closed']: { readonly [state: string]: number } } & {
  readonly answers?: { readonly delays?: readonly { readonly says: string }[] };
};
/** `errors --json`. */
export type Waiting = { readonly documents: readonly { readonly facts: { readonly identifier: string } }[] };
export type Documents = { readonly documents: readonly Listed[] };
export type Causes = {
  readonly groups: readonly { readonly count: number; readonly amounts: { readonly [currency: string]: string } }[];
};

export type Night = { readonly run: { readonly id: string }; readonly documents: { readonly read: number } };

/** What commands printed at the end of a life, and what the console answered, unless it was left closed. */
export type Views = {
  readonly [of in 'status' | 'errors' | 'list' | 'metrics']: string;
} & { readonly console?: undefined | Shown };
type Shown = { readonly [of in 'status' | 'list' | 'causes' | 'home' | 'work']: string } & {
  readonly nights: readonly string[];
};
