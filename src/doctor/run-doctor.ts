/** What `doctor` says of one thing. */

export type DoctorCheck = {
  /** The thing: "disk", "service fr". */
  readonly what: string;
  /** A warning can wait for the morning; with an error the next night goes wrong. */
  readonly result: 'ok' | 'warning' | 'error';
  readonly says: string;
  /** What to do about it. */
  readonly hint?: string;
};

export function ok(what: string, says: string): DoctorCheck {
  return { what, result: 'ok', says };
}

export function warning(what: string, says: string, hint: string): DoctorCheck {
  return { what, result: 'warning', says, hint };
}

export function failed(what: string, says: string, hint: string): DoctorCheck {
  return { what, result: 'error', says, hint };
}
