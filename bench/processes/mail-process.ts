/** A mail server on loopback in a process of its own: its port goes out as a message, and how many mails came when it is asked. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

let mails = 0;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => {
    stream.resume();
    stream.on('end', () => {
      mails++;
      done();
    });
  },
});
server.listen(0, '127.0.0.1', () => process.send?.((server.server.address() as AddressInfo).port));
process.on('message', () => process.send?.(mails));
process.once('disconnect', () => server.close());
