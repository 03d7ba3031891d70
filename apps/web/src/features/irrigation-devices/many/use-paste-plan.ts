import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { readTable } from '@headrace/contract/rules/files/read-table';
import {
  guessColumns,
  hasHeadings,
  type SprinklerColumn,
} from '@headrace/contract/rules/files/sprinkler-columns';
import { planRows } from '@headrace/contract/rules/files/sprinkler-rows';
import { useGatewayChoices, useGroupChoices } from '../../../device-records/choices.queries.ts';
import { farmQuery } from '../../../farm/farms.queries.ts';
import { sprinklersQuery } from '../../../device-records/sprinklers.queries.ts';
import { useGatewayPlaces } from '../../placing/use-gateway-places.ts';
import { useRowCheck } from './use-row-check.ts';

/** What the person said of the table that was guessed otherwise; forgotten with another text. */
interface Corrections {
  readonly text: string;
  readonly isHeaded?: boolean;
  readonly columns?: readonly (SprinklerColumn | null)[];
}

/** What a pasted text would do, row by row, by the rules at once and by what the server knows soon after. */
export function usePastePlan(farmUID: string, text: string) {
  const [said, setSaid] = useState<Corrections>({ text });
  const corrections = said.text === text ? said : { text };
  const groups = useGroupChoices(farmUID);
  const choices = useGatewayChoices(farmUID);
  const places = useGatewayPlaces(farmUID);
  const { data: land = null } = useQuery(farmQuery(farmUID));
  const { data: units } = useQuery(sprinklersQuery(farmUID));
  const table = useMemo(() => readTable(text), [text]);
  const isHeaded = corrections.isHeaded ?? hasHeadings(table);
  const guessed = useMemo(() => guessColumns(table, isHeaded), [table, isHeaded]);
  const columns = corrections.columns ?? guessed;
  const planned = useMemo(() => {
    const names = units?.map(({ name }) => name) ?? [];
    const gateways = choices.map((gateway) => ({ ...gateway, place: places.get(gateway.id) }));
    return planRows(table, columns, isHeaded, { groups, gateways, names, land });
  }, [table, columns, isHeaded, groups, choices, places, units, land]);
  const check = useRowCheck(farmUID, planned);
  return {
    table,
    isHeaded,
    columns,
    rows: check.rows,
    isChecking: check.isChecking,
    checkError: check.error,
    recheck: check.recheck,
    setHeaded: (is: boolean) => setSaid({ text, isHeaded: is }),
    setColumn: (at: number, column: SprinklerColumn | null) => {
      const others = columns.map((other) => (other === column ? null : other));
      setSaid({ ...corrections, isHeaded, columns: others.with(at, column) });
    },
  };
}
