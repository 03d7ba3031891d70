import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import PostalMime, { type Email } from 'postal-mime';

export interface TakenMail {
  raw: string;
  to: string[];
  user: string | null;
  secure: boolean;
}

export interface MailServerOptions {
  port?: number;
  secure?: boolean;
  key?: string;
  cert?: string;
  auth?: { user: string; password: string };
  noTls?: boolean;
  behaviour?: 'takes' | 'hangs' | 'dies before it answers' | 'dies after it took';
}

const script = fileURLToPath(new URL('./smtp-server.mjs', import.meta.url));

export type ReadMail = Email;
export const readMail = ({ raw }: TakenMail): Promise<ReadMail> => PostalMime.parse(raw);

/** A real SMTP server in a process of its own; `taken` grows with what it took. */
export async function startMailServer(options: MailServerOptions = {}) {
  const child = fork(script, [JSON.stringify(options)], { stdio: 'ignore', execArgv: [] });
  const taken: TakenMail[] = [];
  child.on('message', (message) => {
    if (!('port' in (message as object))) taken.push(message as TakenMail);
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    taken,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** A key and a certificate of this machine, signed by itself. */
export function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'headrace-smtp-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const made = ['-keyout', key, '-out', cert, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...made, ...subject], {
    stdio: 'ignore',
  });
  return { key, cert };
}
