/**
 * What a person chose for one browser: colors and keys, in a cookie that nothing trusts. The language belongs to the
 * person and is kept with the people. Unknown values are the defaults.
 */
const COOKIE = 'nightpost-view';
const THEMES = ['auto', 'light', 'dark'] as const;
const YEAR_S = 31_536_000;

export type ViewPreferences = { readonly theme: (typeof THEMES)[number]; readonly keys: boolean };

export function readPreferences(cookies: string | null): ViewPreferences {
  const value = new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z]+)\\.(on|off)`).exec(cookies ?? '');
  const theme = THEMES.find((one) => one === value?.[1]) ?? 'auto';
  return { theme, keys: value?.[2] !== 'off' };
}

/** The header that keeps the choice for a year; `base` is that of the console. */
export function preferencesCookie({ theme, keys }: ViewPreferences, base: string): string {
  return `${COOKIE}=${theme}.${keys ? 'on' : 'off'}; Path=${base || '/'}; SameSite=Strict; Max-Age=${YEAR_S}`;
}

/** From the fields of a form. */
export function preferencesOf(form: FormData): ViewPreferences {
  return { theme: THEMES.find((one) => one === form.get('theme')) ?? 'auto', keys: form.get('keys') !== 'off' };
}
