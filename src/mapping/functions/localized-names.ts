/**
 * The name of a function in a French or Spanish spreadsheet in, or an English one that differs here; its name here out.
 * Case and accents do not count: ANNÉE and annee are one name. Two languages may share a name (SI), two functions never
 * do.
 */
import { dictionary } from '../../text/dictionary.ts';

type Language = 'en' | 'fr' | 'es';

/** Functions with the same arguments in the other languages; several names are separated by a blank. */
const NAMES = dictionary<{ readonly [L in Language]?: string }>({
  ROUND: { fr: 'ARRONDI', es: 'REDONDEAR' },
  ROUNDUP: { fr: 'ARRONDI.SUP', es: 'REDONDEAR.MAS' },
  ROUNDDOWN: { fr: 'ARRONDI.INF', es: 'REDONDEAR.MENOS' },
  SUM: { fr: 'SOMME', es: 'SUMA' },
  COUNT: { en: 'COUNTA', fr: 'NB NBVAL', es: 'CONTAR CONTARA' },
  IF: { fr: 'SI', es: 'SI' },
  AND: { fr: 'ET', es: 'Y' },
  OR: { fr: 'OU', es: 'O' },
  NOT: { fr: 'NON', es: 'NO' },
  LEFT: { fr: 'GAUCHE', es: 'IZQUIERDA' },
  RIGHT: { fr: 'DROITE', es: 'DERECHA' },
  MID: { fr: 'STXT', es: 'EXTRAE' },
  LEN: { fr: 'NBCAR', es: 'LARGO' },
  TRIM: { fr: 'SUPPRESPACE', es: 'ESPACIOS' },
  UPPER: { fr: 'MAJUSCULE', es: 'MAYUSC' },
  LOWER: { fr: 'MINUSCULE', es: 'MINUSC' },
  PROPER: { fr: 'NOMPROPRE', es: 'NOMPROPIO' },
  REPLACE: { en: 'SUBSTITUTE', fr: 'SUBSTITUE', es: 'SUSTITUIR' },
  CONCAT: { en: 'CONCATENATE', fr: 'CONCATENER', es: 'CONCATENAR' },
  TEXT: { fr: 'TEXTE', es: 'TEXTO' },
  NUMBER: { en: 'VALUE', fr: 'CNUM', es: 'VALOR' },
  DATE: { es: 'FECHA' },
  DAYS: { fr: 'JOURS', es: 'DIAS' },
  YEAR: { fr: 'ANNEE', es: 'AÑO' },
  MONTH: { fr: 'MOIS', es: 'MES' },
  DAY: { fr: 'JOUR', es: 'DIA' },
  EDATE: { fr: 'MOIS.DECALER', es: 'FECHA.MES' },
  'MONTH-END': { en: 'EOMONTH', fr: 'FIN.MOIS', es: 'FIN.MES' },
  TODAY: { fr: 'AUJOURDHUI', es: 'HOY' },
});

/**
 * Functions of a spreadsheet that take other arguments: they are only suggested. REMPLACER counts characters, where
 * REPLACE searches a text.
 */
const NEAR: { readonly [name: string]: string } = {
  REPLACE: 'REMPLACER REEMPLAZAR',
  IFEMPTY: 'ISBLANK ESTVIDE ESBLANCO IFERROR SIERREUR SIERROR',
  DATE: 'DATEVALUE DATEVAL FECHANUMERO',
  MATCHES: 'SEARCH CHERCHE HALLAR FIND TROUVE ENCONTRAR',
};

/** Words for true and false in the three languages. */
const TRUTHS = dictionary<boolean>({
  TRUE: true,
  VRAI: true,
  VERDADERO: true,
  FALSE: false,
  FAUX: false,
  FALSO: false,
});

const SPELLED = new Map(
  [...NAMES].flatMap(([name, by]) =>
    Object.values(by).flatMap((names) => names.split(' ').map((other) => [bare(other), name] as const)),
  ),
);
const SUGGESTED = new Map(
  Object.entries(NEAR).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
);

/** Undefined where the name is none of these. */
export function functionSpelled(name: string): string | undefined {
  return SPELLED.get(bare(name));
}

/** The function to suggest in place of one that takes other arguments. */
export function functionNear(name: string): string | undefined {
  return SUGGESTED.get(bare(name));
}

/** TRUE, FALSE, VRAI, FAUX, VERDADERO, FALSO; undefined for any other word. */
export function truthSpelled(word: string): boolean | undefined {
  return TRUTHS.get(bare(word));
}

/** The other names of a function, each once, for the manual. */
export function spellingsOf(name: string): readonly string[] {
  return [...new Set(Object.values(NAMES.get(name) ?? {}).flatMap((names) => names.split(' ')))];
}

/** Without case and accents. */
function bare(name: string): string {
  return name.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '');
}
