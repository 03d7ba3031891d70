import { afterAll } from 'vitest';
import { createSandbox } from '../features/codecs/sandbox/sandbox.ts';
import { type CodecInput, SANDBOX_LIMITS } from '../features/codecs/sandbox/sandbox-job.ts';

export const codecInput: CodecInput = {
  bytes: [0x0e, 0xe4, 0x01],
  fPort: 2,
  recvTime: '2026-01-14T18:04:15.775Z',
};

/** One sandbox for a file's tests. Wide limits: a busy machine makes codecs late that come to an end; `runMs` is for those that don't. */
export function createCodecKit(runMs = 20_000) {
  const limits = { ...SANDBOX_LIMITS, runMs };
  const sandbox = createSandbox({ threads: 1, limits, watchdogMs: runMs + 2000 });
  afterAll(() => sandbox.close());
  return {
    sandbox,
    /** What it decodes, why it threw, or how it failed. */
    async run(script: string, input = codecInput, key = 'one'): Promise<Record<string, unknown>> {
      const outcome = await sandbox.run(key, script, input);
      return outcome.kind === 'result'
        ? (JSON.parse(outcome.json) as Record<string, unknown>)
        : { ...outcome };
    },
    /** What its check says of it. */
    check: (script: string) => sandbox.run('check', script, null),
  };
}
