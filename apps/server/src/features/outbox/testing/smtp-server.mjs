// A mail server in a process of its own. Tells its parent what it took; argument: JSON of what it is to do.
import { readFileSync } from 'node:fs';
import { SMTPServer } from 'smtp-server';

const {
  port = 0,
  secure = false,
  key,
  cert,
  auth,
  behaviour = 'takes',
  noTls = false,
} = JSON.parse(process.argv[2] ?? '{}');

const server = new SMTPServer({
  secure,
  ...(key && { key: readFileSync(key), cert: readFileSync(cert) }),
  disabledCommands: noTls ? ['STARTTLS', ...(auth ? [] : ['AUTH'])] : auth ? [] : ['AUTH'],
  authOptional: !auth,
  logger: false,
  disableReverseLookup: true,
  onConnect(_session, done) {
    if (behaviour !== 'hangs') done();
  },
  onAuth({ username, password }, _session, done) {
    const isRight = username === auth.user && password === auth.password;
    done(isRight ? null : new Error(`Invalid login for ${username} ${password}`), { user: username });
  },
  onRcptTo({ address }, _session, done) {
    if (address.startsWith('nobody'))
      return done(Object.assign(new Error(`No such mailbox: <${address}>`), { responseCode: 550 }));
    if (address.startsWith('later'))
      return done(Object.assign(new Error('Try later'), { responseCode: 451 }));
    done();
  },
  onData(stream, session, done) {
    /** @type {Buffer[]} */
    const chunks = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => {
      if (behaviour === 'dies before it answers') process.exit(0);
      const mail = {
        raw: Buffer.concat(chunks).toString('utf8'),
        to: session.envelope.rcptTo.map(({ address }) => address),
        user: session.user ?? null,
        secure: session.secure,
      };
      process.send?.(mail, () => {
        if (behaviour === 'dies after it took') process.exit(0);
        done();
      });
    });
  },
});
server.on('error', () => {});
server.listen(port, '127.0.0.1', () => {
  const address = server.server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
