/** Currencies of ISO 4217 (alpha-3), as the code list of EN 16931 version 1.3.16 (rule BR-CL-04) has them. */
const CODES = `
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF
CLP CNH CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG
HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK
MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR
SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STD SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW
UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG`;

const CURRENCIES: ReadonlySet<string> = new Set(CODES.trim().split(/\s+/));

/** What exports write for the euro. */
const EURO: ReadonlySet<string> = new Set(['€', 'EURO', 'EUROS']);

/** Codes are compared as written, in capitals. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** The code that was certainly meant. */
export function meantCurrency(text: string): string | undefined {
  const plain = text.trim().toUpperCase();
  if (EURO.has(plain)) return 'EUR';
  return plain !== text && CURRENCIES.has(plain) ? plain : undefined;
}
