/** XML of samples/divalto-xml: many invoices in one file, two namespaces, values in attributes, CDATA, Windows-1252. */
import { decimal, rounded, totalsOf, units } from './amounts.ts';
import { FACTORS, type Format, NUMBER, sampleText, type Template } from './format.ts';

const ENCODING = 'windows-1252';
const sample = sampleText('divalto-xml/input/DIV_20260908.xml', ENCODING);
const invoices = [...sample.matchAll(/[ \t]*<g:Facture .*?<\/g:Facture>\r?\n/gs)].map(([text]) => text);

export const DIVALTO: Format = {
  mapping: 'divalto-xml',
  service: 'fr',
  today: '2026-12-02',
  nameOf: (id) => `DIV_${id}.xml`,
  encoding: ENCODING,
  head: sample.slice(0, sample.indexOf(invoices[0]!)),
  tail: () => sample.slice(sample.lastIndexOf('</g:Export>')),
  templatesOf: () => ({ good: FACTORS.flatMap((factor) => invoices.map((text) => timesOf(text, factor))) }),
};

function timesOf(sampleInvoice: string, factor: number): Template {
  const lines: { net: number; rate: number }[] = [];
  const text = sampleInvoice.replaceAll(
    /(<g:Quantite [^>]*>)([\d.]+)(<.*?<g:Prix>)([\d.]+)(<.*?taux=")([\d.]+)/gs,
    (_, before: string, quantityText: string, between: string, price: string, next: string, rate: string) => {
      const quantity = units(quantityText, 1) * factor;
      lines.push({ net: rounded(quantity * units(price, 3), 100), rate: units(rate, 1) });
      return `${before}${decimal(quantity, 1)}${between}${price}${next}${rate}`;
    },
  );
  const { net, gross } = totalsOf(lines);
  return {
    text: text
      .replace(/numero="[^"]*"/, `numero="${NUMBER}"`)
      .replace(/ht="[^"]*" ttc="[^"]*"/, `ht="${decimal(net, 2)}" ttc="${decimal(gross, 2)}"`),
  };
}
