/** One thing that channels report, with its words for each reader. */
import type { Language, Message } from '../i18n/message.ts';
import type { DigestTopic } from './digest.ts';

/** How much a channel shows: numbers alone, numbers of documents and names of files too, or everything. */
export type NoticeDetails = 'counts' | 'ids' | 'full';

/** A topic, what it counts as in a subject, and its words at each level. */
export type NoticeTopic = DigestTopic & {
  readonly counts: 'failed' | 'absent' | 'documents' | 'files' | 'exports' | 'paused' | 'noSend' | 'night';
  readonly words: (details: NoticeDetails, reader: NoticeReader) => Message;
  /** Further lines: numbers of documents, amounts. */
  readonly more: (details: NoticeDetails, reader: NoticeReader) => readonly Message[];
  /** A code for programs: the cause, the service, the code of an error. */
  readonly code: string;
};

/** Language and time zone of a channel. */
export type NoticeReader = { readonly language: Language; readonly zone: string };
