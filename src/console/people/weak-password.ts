/**
 * Passwords that a list of guesses has near its top. Everything known counts as one character: the name of the person, the
 * company, a common word, a year, a repeated letter, a row of the keyboard or of the alphabet. What is left decides. Pure.
 */

/** Characters that have to be left, and different ones among all of them. */
const LEAST_LEFT = 8;
const LEAST_DIFFERENT = 5;

/** Parts of the most common passwords in English, French and Spanish; longer ones are these with digits or twice. */
const COMMON: readonly string[] =
  `password passwort motdepasse contrasena contraseña passe pass clave secret secreto admin administrator administrador
administrateur root user login welcome bienvenue bienvenido letmein changeme default master guest test hello bonjour hola
iloveyou jetaime teamo tequiero loulou doudou chouchou princess princesse princesa sunshine soleil football futbol baseball
basketball dragon monkey shadow superman batman spiderman pokemon starwars trustno1 whatever freedom michael jennifer jordan
charlie thomas nicolas camille marseille paris france elsalvador salvador barcelona realmadrid america mexico london
computer ordinateur internet google facebook microsoft samsung windows summer winter spring autumn été printemps automne
hiver verano invierno january february march april june july august september october november december chocolate chocolat
flower fleur azerty qwerty qwertz nightpost facture invoice factura compta finance unbelievable correcthorsebatterystaple
corecthorsebatterystaple qazwsxedc thequickbrownfox`.split(/\s+/);

/** Forwards and backwards; a part of three characters or more is a row. */
const ROWS: readonly string[] = [
  ...['01234567890123456789', 'abcdefghijklmnopqrstuvwxyzabc'],
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'azertyuiop', 'qsdfghjklm', 'wxcvbn', 'qwertzuiop', 'yxcvbnm'],
  ...[
    '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
    '1aqw2zsx3edc4rfv5tgb6yhn7ujm8ik',
    'qazwsxedcrfvtgbyhnujm',
    'zaq12wsxcde34rfv',
  ],
  ...[
    '1q2w3e4r5t6y7u8i9o0p',
    'q1w2e3r4t5y6u7i8o9p0',
    '1a2z3e4r5t6y7u8i9o0p',
    '!@#$%^&*()',
    '1a2b3c4d5e6f7g8h9i',
    'a1b2c3d4e5f6g7h8i9',
  ],
  // The keypad, by columns.
  ...['147258369', '159357', '789456123'],
].flatMap((row) => [row, [...row].reverse().join('')]);

const LEAST_ROW = 3;

/** `known`: words that are public about the person, such as the name and the company. */
export function isWeakPassword(password: string, known: readonly string[]): boolean {
  const text = fold(password);
  if (new Set(text).size < LEAST_DIFFERENT) return true;
  const words = [...known.map(fold).flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u)]), ...COMMON.map(fold)]
    .filter((word) => word.length >= LEAST_ROW)
    .sort((a, b) => b.length - a.length);
  // Once with the letters that digits and signs stand for, once as it is: a guess costs no more either way.
  return [text, text.replace(/[0134578@$!]/g, (sign) => LETTERS.get(sign) ?? sign)].some(
    (spelling) => charactersLeft(withoutRepeats(spelling), words) < LEAST_LEFT,
  );
}

const LETTERS: ReadonlyMap<string, string> = new Map([...'0134578@$!'].map((sign, n) => [sign, 'oieastbasi'[n] ?? '']));

/** Without accents and case. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** `abcabcabc` is `abc`; the end may be cut. */
function withoutRepeats(text: string): string {
  for (let length = 1; length <= text.length / 2; length++)
    if (text.slice(length) === text.slice(0, -length)) return text.slice(0, length);
  return text;
}

function charactersLeft(text: string, words: readonly string[]): number {
  let left = 0;
  for (let at = 0; at < text.length; left++) at += lengthAt(text, at, words);
  return left;
}

/** Characters from here on that count as one. */
function lengthAt(text: string, at: number, words: readonly string[]): number {
  const word = words.find((one) => text.startsWith(one, at))?.length ?? 0;
  const year = /^(?:19|20)\d\d/.test(text.slice(at, at + 4)) ? 4 : 0;
  let repeat = 1;
  while (text[at + repeat] === text[at]) repeat++;
  let row = LEAST_ROW;
  while (at + row <= text.length && ROWS.some((one) => one.includes(text.slice(at, at + row)))) row++;
  return Math.max(1, word, year, repeat, row > LEAST_ROW ? row - 1 : 0);
}
