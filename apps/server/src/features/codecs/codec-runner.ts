import { CODEC_FAILURES } from '@headrace/contract/limits';
import type { CodecInput, SandboxOutcome } from './sandbox/sandbox-job.ts';
import type { KnownCodec, KnownDevice } from '../readings/device-directory.ts';
import type { Decoding, NetworkPart } from '../readings/uplink.ts';
import type { UplinkDecoder } from '../readings/uplink-decoder.ts';
import { builtInCodecs } from './built-in-codecs.ts';
import type { CodecsRepo } from './codecs.repo.ts';
import { decodingOf } from './decode-result.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

type OwnCodec = Extract<KnownCodec, { kind: 'own' }>;

interface RunnerOptions {
  sandbox: Sandbox;
  now: () => Date;
  log: { warn(details: object, message: string): void };
  /** As many as the sandbox has. */
  threads: number;
  /** A codec of this farm was switched off; `reason` as `it took too long 5 times in a row`. */
  onSwitchedOff(farmId: number, codec: { name: string; reason: string }): void;
}

/** Scripts at hand; a version never changes. */
const SCRIPTS = 200;
const costly: readonly string[] = ['time', 'memory', 'crash'];

/** Decodes uplinks with the codecs of their sensors, and switches off those that cost too much again and again. */
export function createCodecRunner(
  codecs: Pick<CodecsRepo, 'script' | 'switchOff'>,
  { sandbox, threads, now, log, onSwitchedOff }: RunnerOptions,
): UplinkDecoder {
  const scripts = new Map<string, string>();
  const failures = new Map<string, number>();

  return {
    threads,
    /** Rejects while the database can't be read. */
    async load(devices) {
      const loaded = new Map<string, string>();
      for (const { codec, farmId } of devices)
        if (codec?.kind === 'own' && codec.off === null) {
          const script = await scriptOf(farmId, codec);
          if (script !== undefined) loaded.set(versionKey(farmId, codec), script);
        }
      return (device, uplink) => decode(device, uplink, loaded);
    },
  };

  async function scriptOf(farmId: number, codec: OwnCodec): Promise<string | undefined> {
    const key = versionKey(farmId, codec);
    const script = scripts.get(key) ?? (await codecs.script(farmId, codec.id, codec.version));
    scripts.delete(key);
    if (script !== undefined) scripts.set(key, script);
    for (const oldest of scripts.keys()) {
      if (scripts.size <= SCRIPTS) break;
      scripts.delete(oldest);
    }
    return script;
  }

  async function decode(
    { farmId, codec }: KnownDevice,
    uplink: NetworkPart['uplink'],
    loaded: ReadonlyMap<string, string>,
  ): Promise<Decoding> {
    if (codec === null) return refused('the sensor has none');
    if (codec.kind === 'builtin') {
      const known = builtInCodecs().get(codec.name);
      if (!known) return refused('this server has no such codec');
      return decodingOf(
        await sandbox.run(`${farmId}/${codec.name}`, known.script, inputOf(uplink)),
        known.mapping,
      );
    }
    if (codec.off !== null) return refused(`it is switched off: ${codec.off}`);
    const script = loaded.get(versionKey(farmId, codec));
    if (script === undefined) return refused(`it has no version ${codec.version}`);
    const outcome = await sandbox.run(`${farmId}/${codec.id}`, script, inputOf(uplink));
    await judge(farmId, codec, outcome);
    return decodingOf(outcome, null);
  }

  async function judge(farmId: number, codec: OwnCodec, outcome: SandboxOutcome): Promise<void> {
    const key = versionKey(farmId, codec);
    if (outcome.kind !== 'failed' || !costly.includes(outcome.cause)) {
      if (outcome.kind !== 'failed' || outcome.cause !== 'queue') failures.delete(key);
      return;
    }
    const count = (failures.get(key) ?? 0) + 1;
    failures.set(key, count);
    if (count < CODEC_FAILURES) return;
    failures.delete(key);
    const reason = `${outcome.message} ${count} times in a row`;
    try {
      await codecs.switchOff({ farmId, codecId: codec.id, version: codec.version }, reason, now());
      onSwitchedOff(farmId, { name: codec.name, reason });
    } catch (error) {
      log.warn({ err: error, farmId, codec: codec.id }, 'a codec could not be switched off');
    }
  }
}

function inputOf({ bytes, fPort, at }: NetworkPart['uplink']): CodecInput {
  return { bytes: [...(bytes ?? [])], fPort, recvTime: at };
}

function versionKey(farmId: number, { id, version }: OwnCodec): string {
  return `${farmId}/${id}/${version}`;
}

function refused(reason: string): Decoding {
  return { ok: false, reason };
}
