import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An authority of the operator's own, and what it signs. */
export class Authority {
  readonly #folder: string;
  constructor(folder: string) {
    this.#folder = folder;
    this.#openssl(
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem',
    );
  }

  get file(): string {
    return join(this.#folder, 'ca.pem');
  }

  async pem(): Promise<string> {
    return readFile(this.file, 'utf8');
  }

  /** Paths of a certificate and its key; signing a name anew writes both anew. */
  sign(name: string, subjectAltName: string, days = 2): { cert: string; key: string } {
    this.#openssl(
      `req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=${name} -addext subjectAltName=${subjectAltName} -keyout ${name}.key -out ${name}.csr`,
    );
    this.#openssl(
      `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days ${days} -copy_extensions copy -out ${name}.pem`,
    );
    return { cert: join(this.#folder, `${name}.pem`), key: join(this.#folder, `${name}.key`) };
  }

  #openssl(args: string): void {
    execFileSync('openssl', args.split(' '), { cwd: this.#folder, stdio: 'ignore' });
  }
}

export async function makeAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-tls-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return new Authority(folder);
}
