import { COUNTER_REGISTERS, longestWay } from '@headrace/contract/rules/counter';

/** The contract's counterDelta in SQL, over columns `previous`, `value` and `wrap_at` (null where the end isn't known). */
export const counterDeltaSql = `case when value >= previous then value - previous
    ${over('wrap_at', 'wrap_at / 2')}
    ${COUNTER_REGISTERS.map((end) => over(`${end}::float8`, longestWay(end, false), 'wrap_at is null and ')).join(' ')}
    when value < previous / 2 then greatest(0, value) else 0 end`;

function over(end: string, most: string | number, condition = ''): string {
  const way = `${end} - previous + value`;
  return `when ${condition}previous < ${end} and ${way} <= ${most} then ${way}`;
}
