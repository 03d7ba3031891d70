import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { can } from '@headrace/contract/permissions';
import type { LatLng } from '@headrace/contract/schemas';
import { errorText } from '../../api/client.ts';
import {
  AreaField,
  Columns,
  FormSection,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
  Wide,
} from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import type { RecordForm as Form } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds, listPath } from '../../device-records/device-kinds.ts';
import { useGatewayChoices, useGroupChoices, useNames } from '../../device-records/choices.queries.ts';
import { lastRadioQuery } from '../../device-records/sprinklers.queries.ts';
import { CommsModeField } from '../devices/comms-mode-field.tsx';
import { GatewayField } from '../devices/gateway-field.tsx';
import { GroupField } from '../devices/group-field.tsx';
import { IdentityFields } from '../devices/identity-fields.tsx';
import { PlaceField } from '../placing/place-field.tsx';
import { NameTwins } from './name-twins.tsx';
import { SHORT_NAME_MAX, sprinklerText, type SprinklerValues, typeOptions } from './sprinkler-values.ts';

export interface SprinklerFormProps {
  form: Form<SprinklerValues>;
  farmUID: string;
  /** The record, unless the sprinkler is new. */
  unit?: Ipc | undefined;
  /** A place that follows from the last two. */
  proposed?: LatLng | null | undefined;
}

/** Everything of a sprinkler that a person enters. */
export function SprinklerForm({ form, farmUID, unit, proposed }: SprinklerFormProps) {
  const { field, values } = form;
  const groups = useNames(useGroupChoices(farmUID));
  const gateways = useNames(useGatewayChoices(farmUID));
  return (
    <RecordForm
      form={form}
      label="Sprinkler"
      labels={sprinklerText(groups, gateways)}
      back={listPath(deviceKinds.sprinkler, farmUID)}
    >
      <Columns
        first={
          <FormSection>
            <TextField
              {...field('name')}
              label="Name"
              required
              maxLength={SHORT_NAME_MAX}
              hint="Up to 5 characters: it stands on the map."
              below={<NameTwins farmUID={farmUID} name={values.name} own={unit?._id} />}
            />
            <AreaField {...field('description')} label="Description" rows={1} />
            <IdentityFields
              kind="sprinkler"
              farmUID={farmUID}
              serial={field('serialNumber')}
              mac={field('macAddress')}
              own={unit}
            />
            <SelectField {...field('type')} label="Type" options={typeOptions} />
          </FormSection>
        }
        aside={
          <FormSection>
            <PlaceField
              {...field('place')}
              farmUID={farmUID}
              own={unit?._id}
              shape="sprinkler"
              device={values.name}
              proposed={proposed}
            />
          </FormSection>
        }
      >
        <FormSection title="Radio">
          <TextField {...field('farmId')} label="Farm ID" hint="Like 01:01" maxLength={5} />
          <NumberField
            {...field('channel')}
            label="Channel"
            hint="1 to 9 or 16 to 25; empty becomes 1"
            isWhole
          />
          <CommsModeField {...field('commsMode')} />
          <GatewayField {...field('gatewayUID')} farmUID={farmUID} />
          <Wide>
            <CopyRadio farmUID={farmUID} onRadio={(radio) => form.patch(radio)} />
          </Wide>
        </FormSection>
        <FormSection title="Use">
          {!unit && (
            <SwitchField
              {...field('isSpareUnit')}
              label="Spare unit"
              hint="Waits for its turn; doesn't count as in service."
            />
          )}
          <SwitchField
            {...field('isPartSprinkler')}
            label="Is Part Sprinkler"
            hint="Waters a part of a circle."
          />
          <Wide>
            <GroupField {...field('groups')} farmUID={farmUID} />
          </Wide>
        </FormSection>
      </Columns>
    </RecordForm>
  );
}

interface CopyRadioProps {
  farmUID: string;
  onRadio: (radio: { farmId: string; channel: number }) => void;
}

function CopyRadio({ farmUID, onRadio }: CopyRadioProps) {
  const queryClient = useQueryClient();
  const mayAsk = useCan({ anyOf: [can('irrigationDevices', 'Edit')] }, farmUID);
  const copy = useMutation({
    mutationFn: () => queryClient.fetchQuery(lastRadioQuery(farmUID)),
    onSuccess: ({ farmId, channel }) => onRadio({ farmId, channel }),
    onError: (error) => toast.error(errorText(error)),
  });
  if (!mayAsk) return null;
  return (
    <Button variant="default" mih={44} loading={copy.isPending} onClick={() => copy.mutate()}>
      Copy last farm ID and channel
    </Button>
  );
}
