/**
 * UBL and CII of samples/ubl-invoice and samples/cii: one invoice a file, and all in one below an element of their own.
 * The amounts of this sample are exact, so that all of them can be taken several times.
 */
import { FACTORS, type Format, NUMBER, sampleText } from './format.ts';

const BATCH = 'urn:example:batch';
const BATCH_HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n<b:Batch xmlns:b="${BATCH}">\n`;
const QUANTITY = /(<(?:cbc:InvoicedQuantity|ram:BilledQuantity) [^>]*>)(\d+)(?=<)/g;
const AMOUNT =
  /(<(?:cbc:(?:TaxAmount|TaxableAmount|LineExtensionAmount|Tax(?:Ex|In)clusiveAmount|PayableAmount)|ram:(?:CalculatedAmount|BasisAmount|(?:Line|TaxBasis|Tax|Grand)TotalAmount|DuePayableAmount))(?: [^>]*)?>)([\d.]+)(?=<)/g;

export const UBL = filesOf('ubl-invoice', 'UBL', 'UB-2026-0091');
export const CII = filesOf('cii', 'CII', 'CB-2026-0091');

/** The shipped mapping takes one invoice a file: its paths begin one element deeper, and the number tells documents apart. */
function batched(mapping: string): string {
  const [text = ''] = mapping.split('\ntests:');
  return `${text
    .replaceAll(/(?<=[ [])\/(?=Invoice\b|rsm:CrossIndustryInvoice\b)/g, '/b:Batch/')
    .replace('  namespaces:\n', `  namespaces:\n    b: "${BATCH}"\n`)
    .replace(/one-per: file\b/, 'one-per: [number]')}\n`;
}

function filesOf(mapping: string, prefix: string, number: string): { readonly each: Format; readonly all: Format } {
  const sample = sampleText(`${mapping}/input/${prefix}_${number}.xml`);
  const texts = FACTORS.map((factor) => ({
    text: sample
      .replaceAll(number, NUMBER)
      .replaceAll(QUANTITY, (_, open: string, quantity: string) => `${open}${Number(quantity) * factor}`)
      .replaceAll(AMOUNT, (_, open: string, amount: string) => `${open}${(Number(amount) * factor).toFixed(2)}`),
  }));
  const nameOf = (id: string) => `${prefix}_${id}.xml`;
  const shared = { mapping, service: 'fr', today: '2026-12-02', nameOf, encoding: 'utf-8' } as const;
  const bare = texts.map(({ text }) => ({ text: text.replace(/^<\?xml.*?\?>\s*/, '') }));
  return {
    each: { ...shared, head: '', tail: () => '', templatesOf: () => ({ good: texts }) },
    all: {
      ...shared,
      adapt: batched,
      head: BATCH_HEAD,
      tail: () => '</b:Batch>\n',
      templatesOf: () => ({ good: bare }),
    },
  };
}
