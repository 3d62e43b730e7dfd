/**
 * Countries of ISO 3166-1 (alpha-2), with the additions of EN 16931 version 1.3.16 (rule BR-CL-14): 1A Kosovo, XI
 * Northern Ireland. Greece is GR here, although its VAT numbers begin with EL.
 */
import { dictionary } from '../../text/dictionary.ts';

const CODES = `
1A AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE
GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM
KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ
NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH
SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG
VI VN VU WF WS XI YE YT ZA ZM ZW`;

const COUNTRIES: ReadonlySet<string> = new Set(CODES.trim().split(/\s+/));

/**
 * Other spellings in exports: alpha-3, plates, names. Only the neighbours and France; the rest is a matter of a table.
 */
const MEANT = dictionary<string>({
  ...{ EL: 'GR', GRC: 'GR', UK: 'GB', GBR: 'GB', FRA: 'FR', F: 'FR', FRANCE: 'FR', BEL: 'BE', B: 'BE', BELGIQUE: 'BE' },
  ...{ DEU: 'DE', D: 'DE', ALLEMAGNE: 'DE', ESP: 'ES', E: 'ES', ESPAGNE: 'ES', ITA: 'IT', I: 'IT', ITALIE: 'IT' },
  ...{ CHE: 'CH', SUISSE: 'CH', LUX: 'LU', L: 'LU', LUXEMBOURG: 'LU', NLD: 'NL', 'PAYS-BAS': 'NL', PRT: 'PT' },
});

/**
 * Territories with a code of their own whose businesses may have a SIREN: overseas France, and Monaco, which belongs to
 * the French VAT area. Nothing is said about them here: neither is a SIREN asked for nor are they abroad.
 */
const NEAR_FRANCE: ReadonlySet<string> = new Set([
  ...['GP', 'MQ', 'GF', 'RE', 'YT', 'MC'],
  ...['BL', 'MF', 'PM', 'NC', 'PF', 'WF', 'TF'],
]);

/** Codes are compared as written, in capitals. */
export function isCountry(code: string): boolean {
  return COUNTRIES.has(code);
}

/** The code that was certainly meant. */
export function meantCountry(text: string): string | undefined {
  const plain = text.trim().toUpperCase();
  return plain !== text && COUNTRIES.has(plain) ? plain : MEANT.get(plain);
}

/** Neither domestic for certain nor abroad: rules about either are silent. */
export function isNearFrance(code: string): boolean {
  return NEAR_FRANCE.has(code);
}
