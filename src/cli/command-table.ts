/**
 * The commands in the order of the help: what each takes, and its module, which is loaded only when the command is
 * called. The program, --help and docs/reference/commands.md are made of this table; the texts are in
 * locales/<language>/cli-commands.yaml.
 */
import { type ActEntry, type CommandEntry, isOption } from './session/command-entry.ts';

/** Options of every command. */
export const GLOBAL_OPTIONS: readonly string[] = [
  '-C, --dir <folder>',
  '--env <name>',
  '--json',
  '-q, --quiet',
  '--full',
];

/** Filters that select documents; selectorOf reads them. */
const SELECTORS = ['--state <state...>', '--cause <cause>', '--mapping <id>', '--run <run>', '--since <date>'];
/** Options that record who decides and why; decisionOf reads them. */
const REASON = ['--reason <text>', '--by <name>'];
const DECISION = [...REASON, '--dry-run', '-y, --yes'];

/** Groups by use: set up, mappings, nights, documents, maintenance. The order is that of --help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'demo',
    takes: ['--keep <folder>', '--serve'],
    load: async () => (await import('./commands/setup/demo-command.ts')).demoCommand,
  },
  {
    name: 'init',
    takes: [
      ...['[folder]', '--sandbox', '--mappings', '--ledger', '-y, --yes', '--language <code>', '--company <name>'],
      ...['--country <list>', '--fr-base-url <url>', '--fr-identity-url <url>', '--fr-realm <name>'],
      ...['--fr-client-id <id>', '--fr-sender-id <id>', '--sv-auth-url <url>', '--sv-issue-url <url>'],
      ...['--expect <export>', '--keep <age>'],
    ],
    load: async () => (await import('./commands/setup/init-command.ts')).initCommand,
  },
  {
    name: 'secret',
    takes: ['<act>', '[name]'],
    acts: [
      { name: 'set', takes: ['[name]'] },
      { name: 'list', takes: [] },
    ],
    load: async () => (await import('./commands/setup/secret-command.ts')).secretCommand,
  },
  {
    name: 'check',
    takes: ['--effective', '--fix', '--dry-run'],
    load: async () => (await import('./commands/check-command.ts')).checkCommand,
  },
  {
    name: 'test',
    takes: ['[mappings...]', '--update', '--update-errors', '--dry-run'],
    load: async () => (await import('./commands/test-command.ts')).testCommand,
  },
  {
    name: 'infer',
    takes: ['<sample>', '--target <kind>', '--out <file>', '--answers <form>'],
    load: async () => (await import('./commands/infer-command.ts')).inferCommand,
  },
  {
    name: 'preview',
    onlyReads: true,
    takes: [
      ...['<file>', '--doc <number>', '--format <form>', '--cell <row:column>', '--faults', '--summary', '--answers'],
      '--against <mapping>',
    ],
    apart: [
      ['--cell', '--answers', '--faults', '--summary', '--format=diff'],
      ['--cell', '--answers', '--doc'],
      ['--cell', '--answers', '--format=json'],
    ],
    load: async () => (await import('./commands/preview-command.ts')).previewCommand,
  },
  {
    name: 'diff',
    onlyReads: true,
    takes: ['<old>', '<new>', '--on <paths...>'],
    load: async () => (await import('./commands/diff-command.ts')).diffCommand,
  },
  {
    name: 'explain',
    onlyReads: true,
    takes: ['[name]'],
    load: async () => (await import('./commands/explain-command.ts')).explainCommand,
  },
  {
    name: 'schema',
    takes: ['--out <folder>'],
    load: async () => (await import('./commands/schema-command.ts')).schemaCommand,
  },
  {
    name: 'run',
    takes: ['[files...]', '--take-in-only', '-c, --concurrency <number>'],
    load: async () => (await import('./commands/run-command.ts')).runCommand,
  },
  {
    name: 'watch',
    takes: ['-c, --concurrency <number>', '--serve'],
    load: async () => (await import('./commands/watch-command.ts')).watchCommand,
  },
  {
    name: 'serve',
    takes: ['--port <port>', '--host <address>'],
    load: async () => (await import('./commands/console/serve-command.ts')).serveCommand,
  },
  {
    name: 'people',
    takes: ['<act>', '[name]', '--role <role>', '--lang <code>'],
    acts: [
      { name: 'list', takes: [] },
      { name: 'add', takes: ['[name]', '--role <role>', '--lang <code>'] },
      { name: 'role', takes: ['[name]', '--role <role>'] },
      { name: 'revoke', takes: ['[name]'] },
      { name: 'password', takes: ['[name]'] },
      { name: 'link', takes: ['[name]'] },
      { name: 'token', takes: ['[name]'] },
      { name: 'bind', takes: ['[name]'] },
    ],
    load: async () => (await import('./commands/console/people-command.ts')).peopleCommand,
  },
  {
    name: 'status',
    onlyReads: true,
    takes: ['--check', '--max-age <duration>'],
    needs: { '--max-age': '--check' },
    load: async () => (await import('./commands/status-command.ts')).statusCommand,
  },
  {
    name: 'runs',
    onlyReads: true,
    takes: ['--last <number>'],
    load: async () => (await import('./commands/views/runs-command.ts')).runsCommand,
  },
  {
    name: 'notify',
    takes: ['[channel]', '--test'],
    load: async () => (await import('./commands/notices/notify-command.ts')).notifyCommand,
  },
  {
    name: 'notices',
    onlyReads: true,
    takes: ['--failed', '--last <number>'],
    load: async () => (await import('./commands/notices/notices-command.ts')).noticesCommand,
  },
  {
    name: 'report',
    onlyReads: true,
    takes: ['[run]', '--day <day>', '--since <day>', '--html'],
    apart: [
      ['[run]', '--day'],
      ['[run]', '--since'],
      ['--html', '--json'],
    ],
    load: async () => (await import('./commands/views/report-command.ts')).reportCommand,
  },
  {
    name: 'find',
    onlyReads: true,
    takes: ['<text...>', '--limit <number>'],
    load: async () => (await import('./commands/views/find-command.ts')).findCommand,
  },
  {
    name: 'list',
    onlyReads: true,
    takes: [
      ...['--state <state...>', '--day <day>', '--since <date>', '--until <date>', '--customer <text>'],
      ...['--file <name>', '--mapping <id>', '--service <name>', '--amount <amount>', '--run <run>'],
      ...['--night <run>', '--closed <which>', '--warnings'],
      ...['--limit <number>', '--after <id>'],
    ],
    load: async () => (await import('./commands/views/list-command.ts')).listCommand,
  },
  {
    name: 'errors',
    onlyReads: true,
    takes: ['[documents...]', '--group [by]', '--warnings', ...SELECTORS],
    apart: [['--warnings', '--group']],
    load: async () => (await import('./commands/errors-command.ts')).errorsCommand,
  },
  {
    name: 'warnings',
    onlyReads: true,
    takes: ['[documents...]', ...SELECTORS],
    load: async () => (await import('./commands/errors-command.ts')).warningsCommand,
  },
  {
    name: 'show',
    onlyReads: true,
    takes: ['<document>', '--payload'],
    load: async () => (await import('./commands/show-command.ts')).showCommand,
  },
  {
    name: 'dossier',
    takes: ['<document>', '--out <place>', '--evidence <files...>'],
    load: async () => (await import('./commands/views/dossier-command.ts')).dossierCommand,
  },
  {
    name: 'fix',
    takes: ['[words...]', '--column <name>', '--from <text>', '--suggested', ...DECISION, ...SELECTORS],
    load: async () => (await import('./commands/fix-command.ts')).fixCommand,
  },
  {
    name: 'reprocess',
    takes: ['[documents...]', ...DECISION, ...SELECTORS],
    load: async () => (await import('./commands/reprocess-command.ts')).reprocessCommand,
  },
  {
    name: 'retry',
    takes: ['[documents...]', '--evidence <file>', ...DECISION, ...SELECTORS],
    load: async () => (await import('./commands/decisions/decision-commands.ts')).retryCommand,
  },
  {
    name: 'release',
    takes: ['[documents...]', ...DECISION, ...SELECTORS],
    load: async () => (await import('./commands/decisions/decision-commands.ts')).releaseCommand,
  },
  {
    name: 'set-aside',
    alias: 'reject',
    takes: ['[documents...]', ...DECISION, ...SELECTORS],
    load: async () => (await import('./commands/decisions/decision-commands.ts')).setAsideCommand,
  },
  {
    name: 'acknowledge',
    takes: ['[documents...]', ...DECISION, ...SELECTORS],
    load: async () => (await import('./commands/decisions/decision-commands.ts')).acknowledgeCommand,
  },
  {
    name: 'waive',
    takes: ['<export>', '--day <day>', ...DECISION],
    load: async () => (await import('./commands/decisions/waive-command.ts')).waiveCommand,
  },
  {
    name: 'answers',
    takes: ['--again <name>', '--last <count>', ...REASON, '--dry-run'],
    apart: [['--again', '--last']],
    needs: { '--reason': '--again', '--by': '--again', '--dry-run': '--again' },
    load: async () => (await import('./commands/views/answers-command.ts')).answersCommand,
  },
  {
    name: 'undo',
    takes: ['<name>', ...REASON],
    load: async () => (await import('./commands/decisions/undo-command.ts')).undoCommand,
  },
  {
    name: 'approve',
    takes: ['<request>', '--refuse', ...REASON],
    load: async () => (await import('./commands/decisions/approve-command.ts')).approveCommand,
  },
  {
    name: 'requests',
    onlyReads: true,
    takes: [],
    load: async () => (await import('./commands/decisions/requests-command.ts')).requestsCommand,
  },
  {
    name: 'consult',
    takes: ['[documents...]', '--dry-run', ...SELECTORS],
    load: async () => (await import('./commands/consult-command.ts')).consultCommand,
  },
  {
    name: 'resolve',
    takes: ['<documents...>', '--as <state>', '--evidence <file>', ...REASON],
    load: async () => (await import('./commands/resolve-command.ts')).resolveCommand,
  },
  {
    name: 'resume',
    takes: ['<service>', ...REASON],
    load: async () => (await import('./commands/resume-command.ts')).resumeCommand,
  },
  {
    name: 'verify',
    onlyReads: true,
    takes: ['[documents...]', '--all', '--head <n:hash>', ...SELECTORS],
    load: async () => (await import('./commands/verify-command.ts')).verifyCommand,
  },
  {
    name: 'doctor',
    takes: ['--offline', '--deep', '--accept-ledger <reason>', '--hold'],
    needs: { '--hold': '--accept-ledger' },
    load: async () => (await import('./commands/doctor-command.ts')).doctorCommand,
  },
  {
    name: 'backup',
    takes: ['[file]', '--keep <number>'],
    apart: [['[file]', '--keep']],
    load: async () => (await import('./commands/backup-command.ts')).backupCommand,
  },
  {
    name: 'purge',
    takes: ['--dry-run', '--subject <text>', ...REASON],
    load: async () => (await import('./commands/purge-command.ts')).purgeCommand,
  },
  {
    name: 'ledger',
    takes: ['<act>', '[text...]', '--within <value>', '--dry-run', '--to <engine>'],
    acts: [
      { name: 'restore', takes: ['[file]'] },
      { name: 'rebuild', takes: [] },
      { name: 'end-quarantine', takes: ['[reason]', '--unread'] },
      { name: 'sequences', takes: [] },
      { name: 'next', takes: ['[sequence]', '[number]', '[reason]', '--within <value>'] },
      { name: 'receipts', takes: ['[documents...]', '--dry-run'] },
      { name: 'move', takes: ['--to <engine>'] },
    ],
    load: async () => (await import('./commands/ledger-command.ts')).ledgerCommand,
  },
  {
    name: 'schedule',
    takes: [
      '<system>',
      '--at <time>',
      '--watch',
      '--serve',
      '--user <name>',
      '--mail-to <address>',
      '--name <name>',
      '--out <folder>',
    ],
    apart: [
      ['<system>=cron', '--user'],
      ['<system>=windows', '--user'],
      ['<system>=windows', '--mail-to'],
    ],
    load: async () => (await import('./commands/setup/schedule-command.ts')).scheduleCommand,
  },
  {
    name: 'completion',
    onlyReads: true,
    takes: ['<shell>'],
    load: async () =>
      (await import('./commands/setup/completion-command.ts')).completionCommandFor(COMMANDS, GLOBAL_OPTIONS),
  },
  {
    name: 'sandbox',
    takes: [
      ...['--script <file>', '--scripted-numbers', '--latency <ms>', '--token-seconds <s>', '--log <file>'],
      ...['--port-fr <port>', '--port-sv <port>'],
    ],
    load: async () => (await import('./commands/setup/sandbox-command.ts')).sandboxCommand,
  },
];

/** The command that a word names, by its name or its alias. */
export function commandNamed(word: string): CommandEntry | undefined {
  return COMMANDS.find(({ name, alias }) => name === word || alias === word);
}

/** As the list of commands prints it: `infer [options] <sample>`. */
export function termOf({ name, takes }: ActEntry): string {
  const options = takes.some(isOption) ? ['[options]'] : [];
  return [name, ...options, ...takes.filter((item) => !isOption(item))].join(' ');
}
