import type { TSchema } from 'typebox';
import { ChirpstackEvent, ChirpstackUplink } from './chirpstack.ts';
import * as downlinks from './downlinks.ts';
import { FieldMapping } from './field-mapping.ts';
import * as messages from './messages.ts';
import { TheThingsStackEvent, TheThingsStackUplink } from './the-things-stack.ts';

const schemas: Record<string, TSchema> = {
  state: messages.StateMessage,
  'up-hello': messages.HelloMessage,
  'up-status': messages.StatusMessage,
  'up-ipc': messages.IpcMessage,
  'up-repeater': messages.RepeaterMessage,
  'up-sensor': messages.SensorMessage,
  'up-io': messages.IoMessage,
  'up-ack': messages.AckMessage,
  'down-cmd': downlinks.CommandDown,
  'down-ipc-list': downlinks.IpcListDown,
  'down-schedules': downlinks.SchedulesDown,
  'down-io-settings': downlinks.IoSettingsDown,
  'down-config': downlinks.ConfigDown,
  'down-time': downlinks.TimeDown,
  'config-pump-control': messages.PumpControlConfig,
  'chirpstack-up': ChirpstackUplink,
  'chirpstack-event': ChirpstackEvent,
  'the-things-stack-up': TheThingsStackUplink,
  'the-things-stack-event': TheThingsStackEvent,
  'field-mapping': FieldMapping,
};

/** Every message as a JSON Schema document for outsiders, by name; kept as files in `schemas/`, in step by a test. */
export function jsonSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { $schema: 'https://json-schema.org/draft/2020-12/schema', title: name, ...schema },
    ]),
  );
}
