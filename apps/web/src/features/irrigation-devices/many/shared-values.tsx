import type { Api } from '@headrace/contract/api';
import { commsModes } from '@headrace/contract/comms-modes';
import type { RowEntry } from '@headrace/contract/rules/files/sprinkler-rows';
import { all, radioChannel, radioFarmId, required } from '@headrace/contract/rules/form-rules';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import { type EnteredNumber, FormSection, NumberField, TextField, Wide } from '../../../forms/fields.tsx';
import { CommsModeField } from '../../devices/comms-mode-field.tsx';
import { GatewayField } from '../../devices/gateway-field.tsx';
import { GroupField } from '../../devices/group-field.tsx';

/** What sprinklers that are added together have where one says nothing of its own. */
export interface SharedValues {
  gatewayUID: string;
  groups: readonly string[];
  farmId: string;
  channel: EnteredNumber;
  commsMode: string;
}

export const firstShared = ({ farmId, channel }: Radio): SharedValues => ({
  gatewayUID: '',
  groups: [],
  farmId,
  channel,
  commsMode: String(commsModes.Local),
});

const rules = {
  channel: all(required('Channel'), radioChannel()),
  farmId: all(required('Farm ID'), radioFarmId()),
};

/** What is wrong with them, by field. */
export const validateShared = ({ channel, farmId }: SharedValues) => ({
  channel: rules.channel(channel) ?? undefined,
  farmId: rules.farmId(farmId) ?? undefined,
});

type Unit = Api['POST /ipc/bulk-add']['body']['units'][number];

/** As it is sent: what the row says, else what is shared. */
export function unitOf(row: RowEntry, shared: SharedValues): Unit {
  const { lat = null, lng = null, description = '' } = row;
  return {
    name: row.name,
    serialNumber: row.serialNumber,
    macAddress: row.macAddress,
    description,
    lat,
    lng,
    groups: [...(row.groups ?? shared.groups)],
    gatewayUID: (row.gatewayUID ?? shared.gatewayUID) || null,
    channel: row.channel ?? Number(shared.channel),
    farmId: row.farmId ?? shared.farmId.trim(),
    commsMode: row.commsMode ?? Number(shared.commsMode),
  };
}

interface SharedFieldsProps {
  title: string;
  farmUID: string;
  values: SharedValues;
  onChange: (values: SharedValues) => void;
}

export function SharedFields({ title, farmUID, values, onChange }: SharedFieldsProps) {
  const fieldErrors: Partial<Record<keyof SharedValues, string | undefined>> = validateShared(values);
  const field = <K extends keyof SharedValues>(name: K) => ({
    name: `shared-${name}`,
    value: values[name],
    error: fieldErrors[name],
    onChange: (value: SharedValues[K]) => onChange({ ...values, [name]: value }),
    onBlur: () => undefined,
  });
  return (
    <FormSection title={title}>
      <TextField {...field('farmId')} label="Farm ID" maxLength={5} />
      <NumberField {...field('channel')} label="Channel" isWhole />
      <CommsModeField {...field('commsMode')} />
      <GatewayField {...field('gatewayUID')} farmUID={farmUID} />
      <Wide>
        <GroupField {...field('groups')} farmUID={farmUID} />
      </Wide>
    </FormSection>
  );
}
