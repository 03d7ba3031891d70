import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Pems } from './tls-listener.ts';

/** Paths of a certificate and its key, which whoever renews them writes anew. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Certificate extends Pems {
  readonly endsAt: Date;
}

/** As sentences name them: anybody may read /readyz, and paths are the operator's. */
const NAMES = { cert: 'the file of MQTT_TLS_CERT_FILE', key: 'the file of MQTT_TLS_KEY_FILE' } as const;

type Read = Readonly<Record<'cert' | 'key', string | Error>>;

/** At start alone, where nobody waits yet. */
function readAtOnce({ certFile, keyFile }: CertificateFiles): Read {
  const text = (path: string, name: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return unreadable(name);
    }
  };
  return { cert: text(certFile, NAMES.cert), key: text(keyFile, NAMES.key) };
}

/** Beside all else: a network disk may take its time. */
async function readBeside({ certFile, keyFile }: CertificateFiles): Promise<Read> {
  const text = (path: string, name: string) => readFile(path, 'utf8').catch(() => unreadable(name));
  const [cert, key] = await Promise.all([text(certFile, NAMES.cert), text(keyFile, NAMES.key)]);
  return { cert, key };
}

const unreadable = (name: string) => new Error(`${name} can't be read`);

/** Throws a sentence about what can't be used, without anything of the key. */
function certificateOf(read: Read): Certificate {
  const [cert, key] = [pemOf(NAMES.cert, read.cert), pemOf(NAMES.key, read.key)];
  try {
    createSecureContext({ cert, key });
    return { cert, key, endsAt: new Date(new X509Certificate(cert).validTo) };
  } catch {
    throw new Error(
      `${NAMES.key} is not the key of the certificate in ${NAMES.cert}, or one of them is damaged`,
    );
  }
}

function pemOf(name: string, content: string | Error): string {
  if (content instanceof Error) throw content;
  if (!content.includes('-----BEGIN ')) throw new Error(`${name} is no PEM file: it begins with -----BEGIN`);
  return content;
}

const textOf = (content: string | Error) => (content instanceof Error ? content.message : content);
/** Parsing takes the thread that serves everybody: the same texts are not parsed again. */
const isSame = (one: Read, other: Read) =>
  textOf(one.cert) === textOf(other.cert) && textOf(one.key) === textOf(other.key);

interface WatchOptions {
  readonly files: CertificateFiles;
  readonly now: () => Date;
  readonly onRenewed: (pems: Pems) => void;
  /** What people should know, once for each change of it. */
  readonly tell: (sentence: string) => void;
  readonly everyMs?: number;
}

export interface CertificateWatch {
  /** Null: it can't be used, and the listener stays shut until the server is started with one that can. */
  readonly first: Certificate | null;
  /** A sentence; null: nothing is wrong. */
  trouble(): string | null;
  stop(): void;
}

/** How often the files are looked at. Their content says whether they changed: links and network disks tell nothing. */
const EVERY_MS = 10_000;
const SOON_MS = 14 * 86_400_000;
const DAY_MS = 86_400_000;

/** A new pair that can't be used, as one that is half written, changes nothing. */
export function watchCertificate(options: WatchOptions): CertificateWatch {
  const { files, now, onRenewed } = options;
  let fault: string | null = null;
  let told: string | null = null;
  let isLooking = false;
  let isStopped = false;
  let last = readAtOnce(files);
  const first = check(last);
  let used = first;

  function check(read: Read): Certificate | null {
    try {
      const found = certificateOf(read);
      fault = null;
      return found;
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
      return null;
    }
  }

  function trouble(): string | null {
    if (!first || !used)
      return fault === null
        ? 'the certificate for MQTT can be used now, and by TLS no device gets in yet: restart the server'
        : `the certificate for MQTT can't be used, and by TLS no device gets in: ${fault}. Mend the files, and restart the server`;
    if (fault !== null)
      return `the new certificate for MQTT can't be used, the one before still is: ${fault}`;
    const leftMs = used.endsAt.getTime() - now().getTime();
    const day = used.endsAt.toISOString().slice(0, 10);
    if (leftMs <= 0) return `the certificate for MQTT has ended on ${day}: devices that check it stay away`;
    if (leftMs > SOON_MS) return null;
    return `the certificate for MQTT ends on ${day}, in ${Math.ceil(leftMs / DAY_MS)} days: renew its files`;
  }

  async function look(): Promise<void> {
    // One that takes longer than the pause between two is waited for.
    if (isLooking) return;
    isLooking = true;
    try {
      const read = await readBeside(files);
      if (isStopped) return;
      if (!isSame(read, last)) take(check((last = read)));
      const sentence = trouble();
      if (sentence !== told && sentence !== null) options.tell(sentence);
      told = sentence;
    } finally {
      isLooking = false;
    }
  }

  function take(found: Certificate | null): void {
    if (found && used && (found.cert !== used.cert || found.key !== used.key)) onRenewed((used = found));
  }

  const timer = setInterval(() => void look(), options.everyMs ?? EVERY_MS).unref();
  return {
    first,
    trouble,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
