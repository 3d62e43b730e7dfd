/** The commands in the order of the help, each with its module, which is loaded only where the command is called. */
import type { Command } from 'commander';

export type Listed = {
  /** Name and arguments, as the list of commands shows them. */
  readonly term: string;
  readonly says: string;
  /** Gives what adds the command, with its options, to the program. */
  readonly load: () => Promise<(program: Command) => void>;
};

/** Three commands of one module. */
const decisions = async () => (await import('./commands/retry-command.ts')).addRetry;

export const COMMANDS: readonly Listed[] = [
  {
    term: 'demo [options]',
    says: 'run one whole night on this machine with sample exports and imitated services',
    load: async () => (await import('./commands/demo-command.ts')).addDemo,
  },
  {
    term: 'init [options] [folder]',
    says: 'make an instance folder: settings, folders, ledger',
    load: async () => (await import('./commands/init-command.ts')).addInit,
  },
  {
    term: 'check [options]',
    says: 'check settings, mappings and tables; nothing is read from the inbox and nothing is sent',
    load: async () => (await import('./commands/check-command.ts')).addCheck,
  },
  {
    term: 'test [options] [mappings...]',
    says: 'run the tests written in the mapping files against their sample files',
    load: async () => (await import('./commands/test-command.ts')).addTest,
  },
  {
    term: 'infer [options] <sample>',
    says: 'write a draft mapping from a sample export, with the evidence for each line and what stays open',
    load: async () => (await import('./commands/infer-command.ts')).addInfer,
  },
  {
    term: 'preview [options] <file>',
    says: 'show what a file would become; nothing is sent or recorded',
    load: async () => (await import('./commands/preview-command.ts')).addPreview,
  },
  {
    term: 'diff [options] <old> <new>',
    says: 'show what another version of a mapping would change in documents made of archived files',
    load: async () => (await import('./commands/diff-command.ts')).addDiff,
  },
  {
    term: 'explain [name]',
    says: 'explain a fault code, rule, state, setting, function or field: meaning, what to do, example',
    load: async () => (await import('./commands/explain-command.ts')).addExplain,
  },
  {
    term: 'schema [options]',
    says: 'write JSON Schemas of settings, mappings and receipts, for completion in editors',
    load: async () => (await import('./commands/schema-command.ts')).addSchema,
  },
  {
    term: 'run [options] [files...]',
    says: 'take in what the inbox holds, send what is due, write receipts; for cron, systemd, Task Scheduler',
    load: async () => (await import('./commands/run-command.ts')).addRun,
  },
  {
    term: 'watch [options]',
    says: 'stay and do the same whenever a file arrives; ends in order on SIGTERM or Ctrl+C',
    load: async () => (await import('./commands/watch-command.ts')).addWatch,
  },
  {
    term: 'status',
    says: 'how many documents are in which state, what the services do, what the inbox holds',
    load: async () => (await import('./commands/status-command.ts')).addStatus,
  },
  {
    term: 'errors [options] [documents...]',
    says: 'documents that wait for a person, and files that could not be read',
    load: async () => (await import('./commands/errors-command.ts')).addErrors,
  },
  {
    term: 'show [options] <document>',
    says: 'one document: state, source, attempts, answer, faults, corrections, history',
    load: async () => (await import('./commands/show-command.ts')).addShow,
  },
  {
    term: 'fix [options] <document> [cells...]',
    says: 'correct cells of a document and make it again of them; the archived export stays as it is',
    load: async () => (await import('./commands/fix-command.ts')).addFix,
  },
  {
    term: 'reprocess [options] [documents...]',
    says: 'read documents again with the mapping of today and the corrections so far; or a whole refused file',
    load: async () => (await import('./commands/reprocess-command.ts')).addReprocess,
  },
  {
    term: 'retry [options] [documents...]',
    says: 'send documents again as they are: those that failed inside the service or were refused, once the cause is corrected',
    load: decisions,
  },
  { term: 'release [options] [documents...]', says: 'let held documents go out', load: decisions },
  {
    term: 'reject [options] [documents...]',
    says: 'set documents aside that are held or to correct: they are not sent, and no one has to act',
    load: decisions,
  },
  {
    term: 'consult [options] [documents...]',
    says: 'ask the services for the outcome of documents in contingency or to verify; nothing is sent again',
    load: async () => (await import('./commands/consult-command.ts')).addConsult,
  },
  {
    term: 'resolve [options] <documents...>',
    says: 'record what a person found out about documents whose outcome no answer told',
    load: async () => (await import('./commands/resolve-command.ts')).addResolve,
  },
  {
    term: 'resume [options] <service>',
    says: 'let a service that was stopped take documents again; the next run sends one document first',
    load: async () => (await import('./commands/resume-command.ts')).addResume,
  },
  {
    term: 'verify [options] [documents...]',
    says: 'proves that exports, mappings, contents, answers and receipts still belong together; reads only',
    load: async () => (await import('./commands/verify-command.ts')).addVerify,
  },
  {
    term: 'doctor [options]',
    says: 'check the machine, the folders, the ledger and the services before the first night',
    load: async () => (await import('./commands/doctor-command.ts')).addDoctor,
  },
  {
    term: 'backup [options] [file]',
    says: 'copy the ledger with settings and mappings into one file, also while a run works; the copy is checked',
    load: async () => (await import('./commands/backup-command.ts')).addBackup,
  },
  {
    term: 'purge [options]',
    says: 'remove what is older than the settings keep it, or what is kept of one counterparty; never an identity',
    load: async () => (await import('./commands/purge-command.ts')).addPurge,
  },
  {
    term: 'ledger [options] <act> [text...]',
    says: 'restore FILE: a backup takes the place of the ledger; rebuild: a new one from receipts and payloads, where it is lost; end-quarantine REASON: nothing was sent that it does not know; sequences: how far their numbers have gone; next NAME NUMBER REASON: the number that a sequence goes on with; receipts [DOCUMENT...]: lost and damaged receipts, payloads and summaries are written again',
    load: async () => (await import('./commands/backup-command.ts')).addLedger,
  },
  {
    term: 'schedule [options] <system>',
    says: 'print what systemd, cron or Windows needs to run this instance, filled in',
    load: async () => (await import('./commands/schedule-command.ts')).addSchedule,
  },
  {
    term: 'sandbox [options]',
    says: 'imitate both services on this machine (loopback only); numbers ending in -X6, -X8, -XLOST ... choose answers',
    load: async () => (await import('./commands/sandbox-command.ts')).addSandbox,
  },
];
