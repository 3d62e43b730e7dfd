/** What the ledgers of the tests are bound to. */
export const BINDING = { services: { fr: 'https://fr.example/api', sv: 'https://sv.example' }, environment: 'test' };
