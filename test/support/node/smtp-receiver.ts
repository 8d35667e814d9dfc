import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  from: string;
  to: string[];
  /** The logged-in user, if any. */
  user: string | undefined;
  raw: string;
}

/** The server's answer to a step; none means success. */
interface Replies {
  login?: number;
  recipient?: number;
  /** `silent` takes the whole message and never answers. */
  data?: number | 'silent';
}

const refusal = (responseCode: number): Error =>
  Object.assign(new Error(`no such user pasien@klinik.example here`), { responseCode });

const outcome = (code: number | undefined): Error | null => (code === undefined ? null : refusal(code));

/** An SMTP server on the loopback that keeps what it takes in. Its words quote an address, as real ones do. */
export const startSmtpReceiver = async (password?: string) => {
  const received: ReceivedMail[] = [];
  const replies: Replies = {};
  let connections = 0;
  let closed = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', ...(password === undefined ? ['AUTH'] : [])],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, done) => {
      connections += 1;
      done();
    },
    onClose: () => {
      closed += 1;
    },
    onAuth: ({ username, password: given }, _session, done) => {
      if (replies.login !== undefined) return done(refusal(replies.login));
      if (given !== password) return done(refusal(535));
      done(null, { user: username });
    },
    onRcptTo: (_address, _session, done) => done(outcome(replies.recipient)),
    onData: (stream, session, done) => {
      let raw = '';
      stream.on('data', (chunk: Buffer) => {
        raw += chunk.toString('utf8');
      });
      stream.on('end', () => {
        if (replies.data === 'silent') return;
        const failed = outcome(replies.data);
        const { mailFrom, rcptTo } = session.envelope;
        if (failed === null)
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            user: session.user,
            raw,
          });
        done(failed);
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    replies,
    host: `127.0.0.1:${port}`,
    counts: () => ({ connections, closed }),
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
};

export type SmtpReceiver = Awaited<ReturnType<typeof startSmtpReceiver>>;
