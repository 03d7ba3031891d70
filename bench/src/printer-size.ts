import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The most memory that the processes which make a server's reports have had so far, MB each. Linux. */
export const printerSizesMb = (serverPid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(serverPid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('-program.mjs'))
    .map((line) => mostMb(Number.parseInt(line, 10)));

const mostMb = (pid: number) =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
