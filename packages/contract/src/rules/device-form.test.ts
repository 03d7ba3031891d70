import { describe, expect, it } from 'vitest';
import { validateDevice, type DeviceForm, type DeviceFormKind } from './device-form.ts';

const good: DeviceForm = { name: 'A1', serialNumber: 'IPC-1', macAddress: '70B3D50000000001' };
const validate = (kind: DeviceFormKind, form: Partial<DeviceForm>, isConverted?: boolean) =>
  validateDevice(kind, { ...good, ...form }, isConverted);

describe('the form of a device', () => {
  it.each<[string, DeviceFormKind, Partial<DeviceForm>]>([
    ['a sprinkler name of five', 'sprinkler', { name: 'ABCDE' }],
    ['a repeater name of five with blanks around it', 'repeater', { name: ' ABCDE ' }],
    ['a gateway name of forty', 'gateway', { name: 'x'.repeat(40) }],
    ['a MAC as people read it out', 'sensor', { macAddress: '70:b3:d5-00.00 01' }],
    ['the first channel', 'sprinkler', { channel: 1 }],
    ['the last channel of the lower band', 'sprinkler', { channel: '9' }],
    ['the first channel of the upper band', 'sprinkler', { channel: 16 }],
    ['the last channel', 'sprinkler', { channel: 25 }],
    ['no channel yet', 'sprinkler', { channel: null }],
    ['a radio farm id', 'sprinkler', { farmId: '0A:b1' }],
    ['a place at the edge of the world', 'gateway', { lat: -90, lng: 180 }],
    ['a place on the equator', 'gateway', { lat: 0, lng: 0 }],
    ['no place', 'gateway', { lat: null, lng: null }],
    [
      'a point of interest without serial number and MAC',
      'poi',
      { serialNumber: undefined, macAddress: undefined, lat: -43, lng: 172 },
    ],
  ])('takes %s', (_name, kind, form) => {
    expect(validate(kind, form)).toEqual({});
  });

  it.each<[string, DeviceFormKind, Partial<DeviceForm>, object]>([
    [
      'a sprinkler name of six',
      'sprinkler',
      { name: 'ABCDEF' },
      { name: 'Name can have at most 5 characters.' },
    ],
    [
      'a sensor name of 41',
      'sensor',
      { name: 'x'.repeat(41) },
      { name: 'Name can have at most 40 characters.' },
    ],
    ['a name of blanks', 'gateway', { name: '  ' }, { name: 'Name is required.' }],
    ['no serial number', 'sprinkler', { serialNumber: ' ' }, { serialNumber: 'Serial number is required.' }],
    [
      '13 hex digits',
      'sprinkler',
      { macAddress: '0123456789ABC' },
      { macAddress: 'MAC address must be 12 or 16 hex digits.' },
    ],
    ...['000000000000', 'ff:ff:ff:ff:ff:ff', '0000000000000000', 'FFFFFFFFffffffff'].map(
      (mac): [string, DeviceFormKind, Partial<DeviceForm>, object] => [
        mac,
        'sensor',
        { macAddress: mac },
        {
          macAddress:
            "MAC address can't be zeros alone or Fs alone: that is no device's. Please enter the one on its label.",
        },
      ],
    ),
    ['no MAC', 'sprinkler', { macAddress: '' }, { macAddress: 'MAC address is required.' }],
    ['channel 10', 'sprinkler', { channel: 10 }, { channel: 'Channel must be 1 to 9 or 16 to 25.' }],
    ['channel 15', 'sprinkler', { channel: 15 }, { channel: 'Channel must be 1 to 9 or 16 to 25.' }],
    ['channel 26', 'sprinkler', { channel: 26 }, { channel: 'Channel must be 1 to 9 or 16 to 25.' }],
    ['channel 0', 'sprinkler', { channel: 0 }, { channel: 'Channel must be 1 to 9 or 16 to 25.' }],
    [
      'a radio farm id of one part',
      'sprinkler',
      { farmId: '0101' },
      { farmId: 'Farm ID must look like 01:01.' },
    ],
    ['a latitude alone', 'repeater', { lat: -43 }, { lng: 'Longitude is required.' }],
    [
      'a latitude past the pole',
      'repeater',
      { lat: -90.1, lng: 172 },
      { lat: "Latitude can't be less than -90°." },
    ],
    [
      'a point of interest nowhere',
      'poi',
      {},
      { lat: 'Latitude is required.', lng: 'Longitude is required.' },
    ],
  ])('refuses %s with a sentence', (_name, kind, form, fieldErrors) => {
    expect(validate(kind, form)).toEqual(fieldErrors);
  });

  it('asks for a short name of whatever a point is converted to', () => {
    expect(validate('sensor', { name: 'ABCDEF' }, true)).toEqual({
      name: 'Name can have at most 5 characters.',
    });
  });
});
