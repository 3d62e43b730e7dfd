/**
 * Codes of the reasons why no VAT is charged: the VATEX list of the European Commission as EN 16931 version 1.3.16
 * (rule BR-CL-22) and EXTENDED-CTC-FR version 1.4.0 have it, the French ones included.
 */
const CODES = `
EU-79-C EU-132 EU-132-1A EU-132-1B EU-132-1C EU-132-1D EU-132-1E EU-132-1F EU-132-1G EU-132-1H EU-132-1I EU-132-1J
EU-132-1K EU-132-1L EU-132-1M EU-132-1N EU-132-1O EU-132-1P EU-132-1Q EU-135-1 EU-143 EU-143-1A EU-143-1B EU-143-1C
EU-143-1D EU-143-1E EU-143-1F EU-143-1FA EU-143-1G EU-143-1H EU-143-1I EU-143-1J EU-143-1K EU-143-1L EU-144 EU-146-1E
EU-148 EU-148-A EU-148-B EU-148-C EU-148-D EU-148-E EU-148-F EU-148-G EU-151 EU-151-1A EU-151-1AA EU-151-1B EU-151-1C
EU-151-1D EU-151-1E EU-153 EU-159 EU-309 EU-AE EU-D EU-F EU-G EU-I EU-IC EU-J EU-O
FR-FRANCHISE FR-CNWVAT FR-AE FR-298SEXDECIESA FR-CGI275 FR-CGI277A FR-CGI295`;

/** Article 261 of the code of taxes, whose sales are outside electronic invoicing (DGFiP G2.32). */
const ARTICLE_261 = `
FR-CGI261-1 FR-CGI261-2 FR-CGI261-3 FR-CGI261-4 FR-CGI261-5 FR-CGI261-7 FR-CGI261-8 FR-CGI261A FR-CGI261B
FR-CGI261C-1 FR-CGI261C-2 FR-CGI261C-3 FR-CGI261D-1 FR-CGI261D-1BIS FR-CGI261D-2 FR-CGI261D-3 FR-CGI261D-4
FR-CGI261E-1 FR-CGI261E-2`;

const PREFIX = 'VATEX-';
const OUTSIDE: ReadonlySet<string> = new Set(codesIn(ARTICLE_261));
const KNOWN: ReadonlySet<string> = new Set([...codesIn(CODES), ...OUTSIDE]);

/** Credit notes that leave the VAT of the invoice as it is ("avoir net de taxe"). */
export const NET_OF_VAT = 'VATEX-FR-CNWVAT';

/** In capitals or not, as BR-CL-22 has it. */
export function isVatex(code: string): boolean {
  return KNOWN.has(code.trim().toUpperCase());
}

/** Whether the reason puts the sale outside electronic invoicing. Case and outer blanks do not count. */
export function isArticle261(code: string): boolean {
  return OUTSIDE.has(code.trim().toUpperCase());
}

/** With blanks, low lines or without its prefix; nothing where that makes no code of the list. */
export function meantVatex(text: string): string | undefined {
  const plain = text
    .trim()
    .toUpperCase()
    .replace(/[\s_]+/g, '-');
  return [plain, `${PREFIX}${plain}`].find((one) => one !== text && KNOWN.has(one));
}

function codesIn(list: string): readonly string[] {
  return list
    .trim()
    .split(/\s+/)
    .map((code) => PREFIX + code);
}
