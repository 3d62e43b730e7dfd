/** Months as words, "5 sept. 2026": French, Spanish and English, whole or shortened, capitals and accents not counting. */

const NAMES = [
  'janvier janv jan january enero ene',
  'fevrier fevr fev february feb febrero',
  'mars mar march marzo',
  'avril avr april apr abril abr',
  'mai may mayo',
  'juin jun june junio',
  'juillet juil jul july julio',
  'aout aug august agosto ago',
  'septembre sept sep september septiembre setiembre set',
  'octobre oct october octubre',
  'novembre nov november noviembre',
  'decembre dec december diciembre dic',
];

const MONTHS = new Map(NAMES.flatMap((names, n) => names.split(' ').map((name) => [name, n + 1] as const)));

/** 1 to 12; undefined where the word is no month in any of the three languages. */
export function monthNamed(word: string): number | undefined {
  return MONTHS.get(word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''));
}
