/** Passwords that guesses begin with, and those that people may keep. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPeople, type People } from '../../src/console/people/people.ts';

const by = { name: 'test', address: 'local' };
let folder: string;
let people: People;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightpost-people-'));
  people = openPeople(folder);
  people.add('Marie Dupont', 'viewer', by);
});
afterAll(() => {
  people[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const codeOf = async (password: string) => {
  try {
    await people.setPassword('marie dupont', password, by, 'Exemple Négoce SARL');
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
};

test.each([
  ...['aaaaaaaaaaaa', '            ', 'abababababab', 'aabbccddaabb', '123456789012', '210987654321', 'abcdefghijkl'],
  ...['passwordpassword', 'Password1234', 'P@ssw0rd2024!', 'motdepasse123', 'Contraseña123', 'administrator'],
  ...['iloveyou1234', 'qwertyuiop12', 'azertyuiop123', '1q2w3e4r5t6y', '1qaz2wsx3edc', 'zaq12wsxcde3', 'asdfghjkl123'],
  ...['MarieDupont123', 'marie dupont 1', 'dupontmarie2024', 'Marie-Exemple', 'exemple negoce', 'EXEMPLENÉGOCE2026'],
  ...['Nightpost2026!', 'mariemariemarie', 'ma5ma5ma5ma5ma5', 'aaaabbbbccccdddd1'],
])('%j is refused as weak', async (password) => {
  expect(await codeOf(password)).toBe('people/weak-password');
});

test.each([
  ...['une phrase assez longue', 'a long enough password', 'déjà vu à Genève', 'una frase bastante larga'],
  ...[
    'k7#vQ9!mZr2&',
    'marie aime les chats gris',
    'tapis-lune-cactus',
    'пароль-для-ночи',
    '夜の郵便は毎日三時に着きます',
  ],
])('%j is kept', async (password) => {
  expect(await codeOf(password)).toBeUndefined();
});
