import { describe, expect, test } from 'vitest';
import { LogTail } from './log-tail.ts';
import { parsePasswd, unprivilegedUser, userToMap } from './passwd.ts';
import { isPostmasterCommand } from './process-state.ts';
import { settingArguments } from './settings.ts';

describe('the last lines of a process', () => {
  test('lines that arrive in pieces are joined, and only the last are kept', () => {
    const seen: string[] = [];
    const tail = new LogTail((line) => seen.push(line), 2);
    for (const piece of ['LOG:  o', 'ne\nLOG:  two\nLO', 'G:  three\nFATAL: unfin']) tail.push(piece);
    expect(seen).toEqual(['LOG:  one', 'LOG:  two', 'LOG:  three']);
    expect(tail.text()).toBe('LOG:  two\nLOG:  three\nFATAL: unfin');
  });
});

describe('whom to run as', () => {
  const full = parsePasswd(
    'root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/sbin/nologin\nann:x:1000:1000::/home/ann:/bin/sh\npostgres:x:101:104::/:/bin/sh\nbroken\n',
  );

  test('inside a user namespace 1000 where it has a name, else any named user', () => {
    expect(userToMap(full)?.name).toBe('ann');
    expect(userToMap(full.filter(({ uid }) => uid !== 1000))?.name).toBe('postgres');
    expect(userToMap(parsePasswd('root:x:0:0::/:/bin/sh\n'))).toBeUndefined();
  });

  test('a real stranger is postgres, then nobody, then anyone but root', () => {
    expect(unprivilegedUser(full)).toEqual({ name: 'postgres', uid: 101, gid: 104 });
    expect(unprivilegedUser(full.filter(({ name }) => name !== 'postgres'))?.uid).toBe(65534);
    expect(unprivilegedUser(full.filter(({ uid }) => uid === 1000))?.name).toBe('ann');
  });
});

describe('whose process it is', () => {
  const cluster = '/srv/data/postgres';
  test.each([
    [true, '/opt/native/bin/postgres -D /srv/data/postgres -c port=20001'],
    [true, 'postgres -D /srv/data/postgres'],
    [false, '/opt/native/bin/postgres -D /srv/data/postgres-old -c port=20001'],
    [false, '/opt/native/bin/postgres -D /srv/other/postgres -c port=20001'],
    [false, 'vim -D /srv/data/postgres'],
    [false, 'postgres: checkpointer'],
    [false, ''],
  ])('%s: %s', (expected, command) => {
    expect(isPostmasterCommand(command, cluster)).toBe(expected);
  });
});

describe('settings', () => {
  test('an override wins, but never over who may connect', () => {
    const args = settingArguments(20_001, { fsync: 'off', jit: 'on', listen_addresses: '*', port: '1' });
    expect(args).toEqual(expect.arrayContaining(['fsync=off', 'jit=on', 'port=20001']));
    expect(args).toContain('listen_addresses=127.0.0.1');
    expect(args).not.toContain('jit=off');
  });

  test('durability is not weakened unless somebody says so', () => {
    expect(settingArguments(20_001).filter((arg) => /fsync|synchronous_commit|full_page/.test(arg))).toEqual(
      [],
    );
  });
});
