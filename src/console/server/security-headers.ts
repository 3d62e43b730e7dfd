/** Headers of every answer: no script but ours, no frame, no cache, nothing sent elsewhere: docs/explanation/security.md. */

const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const SECURITY_HEADERS: { readonly [name: string]: string } = {
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
};

/** Browsers then use https alone for this name. */
const ONLY_TLS = { 'strict-transport-security': 'max-age=31536000' } as const;

/** Sets what the answer does not have yet: a file with a version in its address may be kept. */
export function addSecurityHeaders(headers: Headers, isTls: boolean): void {
  for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...(isTls ? ONLY_TLS : {}) }))
    headers.set(name, value);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
}
