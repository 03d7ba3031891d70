import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Launch } from './launch.ts';

export interface ProgramResult {
  ok: boolean;
  stdout: string;
  /** What it printed on stderr, or why it could not be started. */
  stderr: string;
}

/** Runs a program to its end. Never throws: a program that can't be started is a failed one. */
export async function runProgram(launch: Launch, args: string[], input = ''): Promise<ProgramResult> {
  const child = spawn(launch.command, [...launch.prefix, ...args], launch.options);
  const ended = new Promise<{ ok: boolean; why: string }>((resolve) => {
    child.once('error', (error) => {
      resolve({ ok: false, why: error.message });
    });
    child.once('close', (code, signal) => {
      resolve({ ok: code === 0, why: signal ? `ended by ${signal}` : '' });
    });
  });
  child.stdin.on('error', () => {}); // It ended before it read all; its exit code says so.
  child.stdin.end(input);
  const [stdout, stderr, { ok, why }] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { ok, stdout, stderr: [stderr, why].filter((part) => part !== '').join('\n') };
}
