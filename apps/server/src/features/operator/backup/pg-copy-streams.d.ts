declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream';
  import type { Connection, Submittable } from 'pg';

  interface CopyIn extends Writable, Submittable {
    submit(connection: Connection): void;
    rowCount: number;
  }
  interface CopyOut extends Readable, Submittable {
    submit(connection: Connection): void;
    rowCount: number;
  }
  export function from(statement: string): CopyIn;
  export function to(statement: string): CopyOut;
}
