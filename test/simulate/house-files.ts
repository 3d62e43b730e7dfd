/** Settings, mapping and exports of the house that lives are lived in. */
import { SALES_MAPPING } from '../sales.ts';
import { centsOf, totalOf } from './exports.ts';
import type { Export } from './history.ts';
import { kindOf, type Line, type Trait } from './life.ts';

/** A document above this amount waits for a person. */
export const LIMIT = 2000;
export const HOOK_PORT = 1002;
export const MAIL_PORT = 1003;
export const CONSOLE_PORT = 1004;

/** What a person has seen in the portal of a service. */
export const PROOF = 'seen in the portal';

export const SECRETS = {
  SIMULATED_SECRET: 'of no value',
  SIMULATED_HOOK: `http://127.0.0.1:${HOOK_PORT}/hook`,
  SIMULATED_HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
} as const;

const SETTINGS = `version: 1
services:
  fr:
    base-url: http://127.0.0.1:1001/issuing
    identity-url: http://127.0.0.1:1001/identity
    realm: simulated
    client-id: client
    client-secret: { env: SIMULATED_SECRET }
    sender-id: nightpost
    integration: { id: nightpost, name: Nightpost, version: '1' }
    concurrency: 2
    report-path: /report
    consultation:
      method: GET
      path: /documents/{identifier}
      answer:
        code: /result/status/code
        name: /result/status/name
        message: /result/status/message
        tracking-id: /result/content/document/tracking-id
        identifier: /result/content/document/identifier
inbox: { settle: 30s, polling: true, scan: 20s }
rules: { fr: wire, sv: wire }
run: { give-up-after: 5s, same-cause: 0, canary: 0, hold: { over: { EUR: '${LIMIT}', USD: '${LIMIT}' } } }
keep: { archive: 4d, receipts: 4d, content: 4d, reports: 4d, answers: 4d, notices: 4d, logs: 2d }
metrics: { textfile: metrics.prom }
notify:
  - webhook: { url: { env: SIMULATED_HOOK }, secret: { env: SIMULATED_HOOK_SECRET } }
    on: [always]
    details: full
  - mail: { to: [office@example.test], from: nightpost@example.test, smtp: { host: 127.0.0.1, port: ${MAIL_PORT}, tls: none } }
    on: [always]
    details: full
`;

/** The other service; its contract leaves out what these settings say. */
const SALVADORAN = `  sv:
    auth-url: http://127.0.0.1:1001/auth
    issue-url: http://127.0.0.1:1001/issue
    credentials: { env: SIMULATED_SECRET }
    credentials-header: X-Credentials
    service-id-in: { query: idServicio }
    token-answer: { token: /token, seconds: /segundos }
    concurrency: 2
    answer: { code: /codigo, name: /estado, tracking-id: /sello, identifier: /numero }
    consultation:
      method: GET
      path: /consulta/{identifier}
      answer: { code: /codigo, name: /estado, tracking-id: /sello, identifier: /numero }
`;

/** With `news` mails come where something is new, as they do by default. */
const EXPECTED = `expect:
  - { name: sales, files: "ventes*.csv", by: "03:00" }
`;

export function settingsFor(traits: readonly Trait[]): string {
  const all = traits.includes('salvador') ? SETTINGS.replace('inbox:', `${SALVADORAN}inbox:`) : SETTINGS;
  const expecting = traits.includes('expected') ? `${all}${EXPECTED}` : all;
  const news = '$1 [attention, failed, absent, recovered]';
  return traits.includes('news') ? expecting.replace(/(mail: .*\n +on:) \[always\]/, news) : expecting;
}

/** A file of answers for the ERP. */
const answersAbout = (number: string) => `answers:
  - file: "RET_{file.stem}_{n:4}.csv"
    when: change
    format: { csv: { encoding: windows-1252 } }
    row: { NUM: ${number}, STATE: "@answer.state", CODE: "@answer.code" }
`;

/** Of sales exports. */
const MAPPING = `${SALES_MAPPING}${answersAbout('$Num')}`;

/** Of exports whose last column names a file, which is next to them. */
const attaching = (mapping: string) =>
  mapping
    .replace('"ventes*.csv"', '"ventes*.csv", companions: "*.pdf"')
    .replace(
      '  totals:',
      '  attachments:\n    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }\n  totals:',
    );

/** Of exports of one document each, with its number in the name of the file: `ventes-003-F7.csv`. */
const numberedByName = (mapping: string) =>
  mapping.replace('one-per: [Num]', 'one-per: file').replaceAll('$Num', "'= MID(FILE-STEM(), 12, 20)'");

/** Of exports whose documents state their total. */
const stating = (mapping: string) =>
  mapping
    .replace('class: invoice', 'class: invoice\n  amount: $Total')
    .replace('Taux: number', 'Taux: number, Total: number')
    .concat('checks: [{ that: "= @totals.final-amount = $Total", else: error, say: another total }]\n');

/** Of sales exports in two files: who buys, and what. */
const PAIRS = MAPPING.replace('mapping: sales', 'mapping: pairs')
  .replace('ventes*', 'ENT_*')
  .replace('  columns:', '  join: { with: "LIG_*.csv", key: Num, wait: 2h }\n  columns:');

/** Of Salvadoran exports: the same columns in the words of another ERP, and amounts without tax. */
const NOTES = `
mapping: notes
version: 1
target: sv-remission-note
accepts: { files: "notas*.csv" }
source:
  format: csv
  delimiter: ";"
  numbers: { decimal: "." }
  dates: yyyy-MM-dd HH:mm:ss
  columns: { Nota: number, FechaHora: date-time, Linea: number, Cantidad: number, Precio: number }
calculated-columns:
  amount: = ROUND($Cantidad * $Precio, 2)
documents:
  one-per: [Nota]
output:
  emisor: { nit: "06140101171017", nombre: Ejemplo SA de CV, codEstable: S001, codPuntoVenta: "1" }
  receptor: { nombre: $Cliente, bienTitulo: "04" }
  cuerpoDocumento:
    each: row
    make: { numItem: $Linea, tipoItem: 1, descripcion: Tela, cantidad: $Cantidad, uniMedida: 59, precioUni: $Precio }
  resumen: { standard: { variant: taxed, taxed: $amount } }
  FechaGeneracion: $FechaHora
  NumeroSecuencial: $Nota
  tipoMoneda: USD
${answersAbout('$Nota')}`;

export function mappingsFor(traits: readonly Trait[]): { readonly [name: string]: string } {
  const stated = traits.includes('stated') ? stating(MAPPING) : MAPPING;
  const attached = traits.includes('attachments') ? attaching(stated) : stated;
  const sales = traits.includes('named') ? numberedByName(attached) : attached;
  return {
    'sales.yaml': sales,
    ...(traits.includes('salvador') && { 'notes.yaml': NOTES }),
    ...(traits.includes('pairs') && { 'pairs.yaml': PAIRS }),
  };
}

/** The documents of an export; `isShared`: they name one file, whose name every such export uses. */
export type Content = { readonly lines: readonly Line[]; readonly isShared?: true };

function pdfOf(n: number, { isShared }: Content): string {
  return isShared ? 'annexe.pdf' : `${numberOf(n)}.pdf`;
}

/** Names and bytes; one in five does not come with its export, and a later export has other bytes under the same name. */
export function attachmentsOf(file: number, content: Content): readonly Export[] {
  const carrying = content.lines.filter(({ n }) => kindOf(n) === 'sales' && (n + file) % 5 !== 0);
  return [...new Set(carrying.map(({ n }) => pdfOf(n, content)))].map((name) => ({
    name,
    text: `%PDF ${name} of export ${file}`,
  }));
}

/** A wrong total is that much higher. */
const OFF_CENTS = 1000;
const PRICES = ['10.50', '7.25', '99.99', '0.35', '1200.00'];

/** That of a Salvadoran document has no letters. */
export function numberOf(n: number): string {
  return kindOf(n) === 'notes' ? String(n) : `F${n}`;
}

/** The column of the quantity, in the words of its ERP. */
export function quantityColumn(n: number): string {
  return kindOf(n) === 'notes' ? 'Cantidad' : 'Qte';
}

function priceOf(n: number): string {
  return PRICES[n % PRICES.length] ?? '1.00';
}

/** The files of an export; the half of a pair that an ERP writes first is the first one. */
export function filesOf(file: number, content: Content, traits: readonly Trait[]): readonly Export[] {
  const { lines } = content;
  const kind = kindOf(lines[0]?.n ?? 0);
  if (kind === 'notes') return [{ name: `notas-${file}.csv`, text: notesOf(lines) }];
  if (kind === 'sales') return [salesOf(file, content, traits)];
  const pair = [
    { name: `ENT_${file}.csv`, text: headersOf(lines) },
    { name: `LIG_${file}.csv`, text: linesOf(lines) },
  ];
  return file % 2 === 0 ? pair : pair.reverse();
}

/** With tax, as its ERP states it. */
function totalTextOf({ n, quantity, isOff }: Line, price: string): string {
  const cents = totalOf(numberOf(n), 2 * centsOf(quantity.replace('O', ''), price)) + (isOff ? OFF_CENTS : 0);
  return (cents / 100).toFixed(2).replace('.', ',');
}

function salesOf(file: number, content: Content, traits: readonly Trait[]): Export {
  const { lines } = content;
  const has = (trait: Trait) => traits.includes(trait);
  const [hasPdf, isNamed, isStated] = [has('attachments'), has('named'), has('stated')];
  const pdf = (n: number) => (hasPdf ? `;${pdfOf(n, content)}` : '');
  // Exports without numbers have equal bytes, as those of two shops may.
  const number = (n: number) => (isNamed ? '' : `${numberOf(n)};`);
  const client = (n: number) => (isNamed ? 'Client' : `Client ${n}`);
  const price = (n: number) => priceOf(isNamed ? 1 : n).replace('.', ',');
  const total = (line: Line) => (isStated ? `;${totalTextOf(line, price(line.n))}` : '');
  const rows = lines.flatMap((line) => {
    const { n, quantity } = line;
    const cells = (lig: number) => `${number(n)}05/09/2026;${client(n)};${lig};${quantity};${price(n)};20`;
    return [1, 2].map((lig) => `${cells(lig)}${total(line)}${pdf(n)}`);
  });
  const head = `${isNamed ? '' : 'Num;'}Date;Client;Lig;Qte;PU;Taux${isStated ? ';Total' : ''}${hasPdf ? ';Pdf' : ''}`;
  const name = isNamed ? `ventes-${String(file).padStart(3, '0')}-${numberOf(lines[0]?.n ?? 0)}` : `ventes-${file}`;
  return { name: `${name}.csv`, text: textOf(head, rows) };
}

function notesOf(lines: readonly Line[]): string {
  const rows = lines.flatMap(({ n, quantity }) =>
    [1, 2].map((line) => `${n};2026-09-05 10:00:00;Cliente ${n};${line};${quantity};${priceOf(n)}`),
  );
  return textOf('Nota;FechaHora;Cliente;Linea;Cantidad;Precio', rows);
}

function headersOf(lines: readonly Line[]): string {
  const rows = lines.map(({ n }) => `${numberOf(n)};Client ${n}`);
  return textOf('Num;Client', rows);
}

function linesOf(lines: readonly Line[]): string {
  const rows = lines.flatMap(({ n, quantity }) =>
    [1, 2].map((lig) => `${numberOf(n)};05/09/2026;Drap;${lig};${quantity};${priceOf(n).replace('.', ',')};20`),
  );
  return textOf('Num;Date;Article;Lig;Qte;PU;Taux', rows);
}

function textOf(head: string, rows: readonly string[]): string {
  return [head, ...rows, ''].join('\n');
}
