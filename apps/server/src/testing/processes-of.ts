import { spawnSync } from 'node:child_process';

/** A process's children by a part of their command line: their ids. */
export const processesOf = (pid: number, name: string): number[] =>
  spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(name))
    .map((line) => Number.parseInt(line, 10));
